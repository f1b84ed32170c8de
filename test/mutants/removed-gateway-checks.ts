import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

/** What keeps pages, other users, programs and their servers from each other. */
export const removedGatewayChecks: readonly Mutant[] = [
  removedCheck(
    'older-program-by-another-name',
    ['withoutReservedMeta', '!$name.startsWith(reserved)', "$name !== ''"],
    ['unit', 'unit/main/gateway/bridge/both-eras.test.ts', 'cannot say that it is another'],
  ),
  removedCheck(
    'older-program-asked-on-and-on',
    ['OlderRequests', '$before.rounds >= bridgeRounds.rounds', '$before.rounds > bridgeRounds.rounds'],
    ['contract', 'contract/gateway/eras.test.ts', 'asks on and on'],
  ),
  removedCheck(
    'older-program-asked-what-it-cannot-answer',
    ['OlderRequests', "!this.#program.capabilities[askable[$method] ?? '']", 'false'],
    ['contract', 'contract/gateway/eras.test.ts', 'has not said that it can answer'],
  ),
  removedCheck(
    'older-program-asked-after-it-has-cancelled',
    ['OlderRequests', 'if (!this.#open.has($id)) return;', ''],
    ['contract', 'contract/gateway/eras.test.ts', 'also while it is asked'],
  ),
  removedCheck(
    'deaf-where-a-server-has-no-stream',
    ['Listening', 'if ($concerned.length === 0) await $ports.send(notificationText($change));', ''],
    ['contract', 'contract/gateway/http-listening.test.ts', 'that has no stream of its own'],
  ),
  removedCheck(
    'deaf-where-a-server-has-no-sessions',
    ['Exchanges', 'return $isChange ? this.#stream.tellChange($text) : await this.#stream.tell($message);', 'return;'],
    ['contract', 'contract/gateway/http-listening.test.ts', 'a server without'],
  ),
  removedCheck(
    'any-host-at-the-endpoint',
    ['readSender', '!$own.includes($host)', "$host === ''"],
    ['hostile', 'hostile/gateway-doors.test.ts', 'evil.example'],
  ),
  removedCheck(
    'any-origin-at-the-endpoint',
    ['readSender', '$origin !== (await allowedOrigin())', "$origin === '*'"],
    ['hostile', 'hostile/gateway-doors.test.ts', 'refuses what a page of the web sends'],
  ),
  removedCheck(
    'any-page-once-one-is-allowed',
    ['readSender', '$origin !== (await allowedOrigin())', '(await allowedOrigin()) === undefined'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'lets no page in but the one'],
  ),
  removedCheck(
    'first-of-two-origins',
    ['readSender', '$all.length > 1 || $origin !== (await allowedOrigin())', '$origin !== (await allowedOrigin())'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'lets no page in but the one'],
  ),
  removedCheck(
    'first-of-two-hosts',
    ['readSender', '$all.length > 1 || !$own.includes($host)', '!$own.includes($host)'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'refuses two Host fields'],
  ),
  removedCheck(
    'any-field-of-the-allowed-page',
    ['answerPreflight', '$names.filter(($name) => sent.test($name))', '$names'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'tells the allowed page alone'],
  ),
  removedCheck(
    'answers-to-the-page-without-its-secret',
    ['createHttpEndpoint', "$sender.kind === 'page' && isPreflight($request)", "$sender.kind === 'page'"],
    ['hostile', 'hostile/gateway-doors.test.ts', 'tells the allowed page alone'],
  ),
  removedCheck(
    'any-secret-of-a-program',
    ['findBySecret', 'timingSafeEqual($kept, $shown)', '$kept.length > 0'],
    ['contract', 'contract/gateway/http.test.ts', 'a wrong secret'],
  ),
  removedCheck(
    'endless-guesses',
    ['admitBySecret', '$times.length >= gatewayHttp.wrongSecrets', 'false'],
    ['contract', 'contract/gateway/http.test.ts', 'GW-13'],
  ),
  removedCheck(
    'body-asked-for-before-the-secret',
    ['createHttpEndpoint', "$server.on('checkContinue', $take);", ''],
    ['contract', 'contract/gateway/http.test.ts', 'asks for a body only once'],
  ),
  removedCheck(
    'program-of-another-server',
    ['mayUse', '$record.integrations.includes($integration)', 'true'],
    ['contract', 'contract/gateway/programs.test.ts', 'added for another server'],
  ),
  removedCheck(
    'program-that-was-revoked',
    ['admit', 'if ($record?.revokedAt !== undefined) throw $error;', ''],
    ['contract', 'contract/gateway/programs.test.ts', 'refuses it from then on'],
  ),
  removedCheck(
    'secret-that-was-revoked',
    ['findBySecret', '$revokedAt === undefined && $$rest', '$$rest'],
    ['contract', 'contract/gateway/http.test.ts', 'GW-21'],
  ),
  removedCheck(
    'sessions-of-a-revoked-program',
    ['Gateway', 'if ($program && !$isAllowed($program, $server, $isOnce)) $line.hangUp();', ''],
    ['contract', 'contract/gateway/programs.test.ts', 'ends the sessions'],
  ),
  removedCheck(
    'pause-that-nobody-heeds',
    ['PausedPrograms', "if ($all) throw new PosternError('GATEWAY_PAUSED', { stage: 'gateway' });", ''],
    ['contract', 'contract/gateway/pause.test.ts', 'refuses every call'],
  ),
  removedCheck(
    'paused-program-that-goes-on',
    ['PausedPrograms', 'if (!$record || !this.has($record)) return;', 'return;'],
    ['contract', 'contract/gateway/pause.test.ts', 'pauses one program alone'],
  ),
  removedCheck(
    'any-number-of-sessions',
    ['SessionRoom', 'if ($own.length >= gatewaySession.sessionsOfProgram) this.#endFirst($own);', ''],
    ['hostile', 'hostile/gateway-programs.test.ts', 'fifty sessions at the socket'],
  ),
  removedCheck(
    'any-number-of-sessions-over-http',
    ['HttpPrograms', 'if (!$isShared) $room.enter($place);', ''],
    ['hostile', 'hostile/gateway-programs.test.ts', 'fifty sessions over HTTP'],
  ),
  removedCheck(
    'any-number-of-requests-over-http',
    ['MessageOrder', 'await $place.take();', ''],
    ['hostile', 'hostile/gateway-programs.test.ts', 'sixty-four requests at once'],
  ),
  removedCheck(
    'idle-exit-without-http',
    ['Gateway', 'this.#byHttp.takeUse() || $rest', '$rest'],
    ['contract', 'contract/gateway/serve.test.ts', 'as long as a program uses it over HTTP'],
  ),
  removedCheck(
    'notices-without-a-pause',
    ['limitNotices', 'if ($told.has($notice.integrationId)) return;', ''],
    ['unit', 'unit/main/window/asking/notices.test.ts', 'one notice'],
  ),
  removedCheck(
    'card-after-a-sign-in-elsewhere',
    ['IntegrationBoard', 'if ($board.of($id).wantedBy !== undefined) $board.forget($id);', ''],
    ['unit', 'unit/main/window/state/integration-board.test.ts', 'once it was signed in to'],
  ),
  removedCheck(
    'card-that-no-sign-in-mends',
    ['describeIntegration', 'isPersonal($status) ? $seen.wantedBy : undefined', '$seen.wantedBy'],
    ['unit', 'unit/main/window/state/integration-board.test.ts', 'which a sign-in would not mend'],
  ),
  removedCheck(
    'program-that-waits-unheard',
    ['ServedServer', 'if ($failure) $ports.onNeed?.($need);', ''],
    ['contract', 'contract/gateway/window-need.test.ts', 'one card'],
  ),
  removedCheck(
    'address-in-place-of-a-sign-in',
    ['connectionHandlers', '$shown && !isUnderWay($shown.flow.state) ? $shown : undefined', '$shown'],
    ['contract', 'contract/desktop.test.ts', 'offers to go on without an app'],
  ),
  removedCheck(
    'renewal-for-a-call',
    ['judgeFailure', "$error instanceof LostRequest && $error.purpose === 'mcp'", '$error instanceof LostRequest'],
    ['unit', 'unit/main/gateway/answers/next-step.test.ts', 'is another than one that has not left'],
  ),
  removedCheck(
    'stranger-without-an-answer',
    ['askForUse', "const $isOnce = $answer.kind === 'once';", 'const $isOnce = true;'],
    ['contract', 'contract/gateway/window-asks.test.ts', 'after a no'],
  ),
  removedCheck(
    'question-without-an-end',
    ['UseQuestions', 'const $stop = $clock.after(useQuestions.deadline, $run);', 'const $stop = (): void => {};'],
    ['unit', 'unit/main/window/asking/use-questions.test.ts', 'nobody answers in time'],
  ),
  removedCheck(
    'any-number-of-questions',
    ['UseQuestions', 'if ($open.size >= useQuestions.count) return $no;', ''],
    ['unit', 'unit/main/window/asking/use-questions.test.ts', 'twenty others'],
  ),
  removedCheck(
    'question-after-a-no',
    ['UseQuestions', 'if ($refused.has($key)) return $no;', ''],
    ['contract', 'contract/gateway/window-asks.test.ts', 'after a no'],
  ),
  removedCheck(
    'own-name-as-it-came',
    [
      'UseQuestions',
      'ownNames.map($each => displayText($each, useQuestions.name))',
      'ownNames.map($each => $each.trim())',
    ],
    ['unit', 'unit/main/window/asking/use-questions.test.ts', 'nothing that hides'],
  ),
  removedCheck(
    'question-for-a-revoked-program',
    ['canAsk', '$record?.revokedAt === undefined', 'true'],
    ['contract', 'contract/gateway/window-asks.test.ts', 'that was revoked'],
  ),
  {
    name: 'two-answers-to-a-request',
    edits: [
      { in: 'Requests', find: '!$pending || (!$pending.isOpen && !$pending.isKept)', replace: '!$pending' },
      { in: 'PendingRequest', find: "if ($state !== 'open') return;", replace: '' },
    ],
    caughtBy: [
      {
        kind: 'vitest',
        project: 'hostile',
        file: 'test/hostile/gateway-servers.test.ts',
        title: 'answers a request once, also from',
      },
    ],
  },
  {
    name: 'lines-without-end',
    edits: [
      { in: 'MessageLines', find: 'const $isTooLong = $length > $limit;', replace: 'const $isTooLong = false;' },
      { in: 'MessageLines', find: 'if ($length > $limit) $keepBeginning();', replace: '' },
    ],
    caughtBy: [
      {
        kind: 'vitest',
        project: 'hostile',
        file: 'test/hostile/gateway-programs.test.ts',
        title: 'never ends',
      },
    ],
  },
  removedCheck(
    'messages-of-any-depth',
    ['readEnvelope', "if ($depth > mcpDepth) return $unusable('too-deep');", ''],
    ['hostile', 'hostile/gateway-servers.test.ts', 'nested too deeply'],
  ),
  removedCheck(
    'messages-of-any-number-of-values',
    ['readEnvelope', "if ($nodes > gatewayMessage.nodes) return $unusable('too-many-values');", ''],
    ['hostile', 'hostile/gateway-servers.test.ts', 'of too many values'],
  ),
  removedCheck(
    'messages-that-are-no-json',
    ['readEnvelope', "if (!$isJson) return $unusable('not-json');", ''],
    ['unit', 'unit/main/gateway/messages/envelope.test.ts', 'answers to any bytes with what they are'],
  ),
  removedCheck(
    'numbers-that-json-does-not-have',
    ['JsonTokens', 'if ($end === $at) this.#wrong($at);', ''],
    ['unit', 'unit/main/mcp/messages/survey-json.test.ts', 'knows of'],
  ),
  removedCheck(
    'first-line-that-never-comes',
    [
      'createSocketEndpoint',
      'setTimeout(() => $socket.destroy(), gatewaySession.helloTime)',
      'setTimeout(() => {}, 0)',
    ],
    ['hostile', 'hostile/gateway-doors.test.ts', 'waits no longer for a first line'],
  ),
  removedCheck(
    'first-line-of-any-length',
    ['createSocketEndpoint', 'if ($bytes.byteLength > gatewaySession.helloSize) return undefined;', ''],
    ['hostile', 'hostile/gateway-doors.test.ts', 'is too long'],
  ),
  removedCheck(
    'port-for-everybody',
    ['LoopbackDoor', 'timingSafeEqual($shown, $expected)', 'true'],
    ['hostile', 'hostile/gateway-loopback.test.ts', 'what the pipe would be shown'],
  ),
  removedCheck(
    'port-that-hears-anything-out',
    ['LoopbackDoor', '!beginsAsPipe($heard)', 'false'],
    ['hostile', 'hostile/gateway-loopback.test.ts', 'a byte of something else'],
  ),
  removedCheck(
    'port-that-waits-for-ever',
    ['LoopbackDoor', 'setTimeout($leave, gatewaySession.helloTime)', 'setTimeout(() => {}, 0)'],
    ['hostile', 'hostile/gateway-loopback.test.ts', 'whoever says nothing'],
  ),
  removedCheck(
    'any-number-of-strangers-at-the-port',
    ['LoopbackDoor', 'if (this.#strangers.size > gatewaySession.strangers) $first?.destroy();', ''],
    ['hostile', 'hostile/gateway-loopback.test.ts', 'however many others'],
  ),
  removedCheck(
    'port-without-its-door',
    ['createSocketEndpoint', 'if (!admit) return $serve($socket);', 'return $serve($socket);'],
    ['hostile', 'hostile/gateway-loopback.test.ts', 'a hello alone'],
  ),
  removedCheck(
    'socket-for-everybody',
    ['createSocketEndpoint', 'process.umask(0o177)', 'process.umask(0)'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'open to its person alone'],
  ),
  removedCheck(
    'socket-folder-for-everybody',
    ['makeSocketFolder', 'if (($stats.mode & 0o077) !== 0) chmodSync($folder, 0o700);', ''],
    ['hostile', 'hostile/gateway-doors.test.ts', 'open to its person alone'],
  ),
  removedCheck(
    'socket-folder-of-another-user',
    ['makeSocketFolder', '$stats.uid === process.getuid()', 'true'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'another user owns'],
  ),
  removedCheck(
    'socket-folder-that-is-a-link',
    ['makeSocketFolder', '$stats?.isSymbolicLink() === true', 'false'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'a link to nothing'],
  ),
  removedCheck(
    'session-of-another-program',
    ['HttpDoor', '$id !== undefined && !$use', 'false'],
    ['hostile', 'hostile/gateway-programs.test.ts', 'GW-12'],
  ),
  removedCheck(
    'session-left-at-the-server',
    ['Connection', 'if ($endpoint.sessionId !== undefined) { $$all }', ''],
    ['contract', 'contract/gateway/sessions.test.ts', 'ends the session at the server'],
  ),
  removedCheck(
    'questions-of-a-server-without-end',
    ['OpenQuestions', '$open.size >= gatewaySession.questions', 'false'],
    ['hostile', 'hostile/gateway-servers.test.ts', 'asks a hundred questions'],
  ),
  removedCheck(
    'answers-that-nobody-asked-for',
    ['Session', 'if (!$questions.settle($message.id)) return $misfit;', ''],
    ['hostile', 'hostile/gateway-servers.test.ts', 'asks a hundred questions'],
  ),
  removedCheck(
    'requests-of-any-size-at-once',
    ['Places', '!$budget.fits($bytes)', 'false'],
    ['hostile', 'hostile/gateway-programs.test.ts', 'sends more than its server takes'],
  ),
  removedCheck(
    'notifications-without-end',
    ['Untold', 'while ($a || $b) await $taken.promise;', ''],
    ['hostile', 'hostile/gateway-programs.test.ts', 'sends more than its server takes'],
  ),
  removedCheck(
    'session-buffer-without-end',
    ['ReadingRoom', '$alone !== $of && $rest', 'false'],
    ['hostile', 'hostile/gateway-programs.test.ts', 'holds 32 MiB of forty answers'],
  ),
  removedCheck(
    'all-that-waits-in-one-turn',
    ['fairTurn', 'next?.();', 'next?.(); for (const other of [...waiting.values()].flat()) other();'],
    ['unit', 'unit/main/fair-turn.test.ts', 'lets one of all that work go on'],
  ),
  removedCheck(
    'memory-of-all-apps-without-end',
    ['MessageBudget', 'this.requests + this.#read > messageBudget.all', 'false'],
    ['unit', 'unit/main/gateway/limits/message-budget.test.ts', 'hangs up on the app that has most'],
  ),
  removedCheck(
    'messages-that-nobody-hears',
    ['ProgramStream', '$a.length >= $count || $b > $size', 'false'],
    ['unit', 'unit/main/gateway/http/exchanges.test.ts', 'no more than so many messages'],
  ),
  removedCheck(
    'messages-that-are-not-read',
    ['EventsToApp', '!$isOver && $size > 0', '!$isOver'],
    ['unit', 'unit/main/gateway/http/exchanges.test.ts', 'no more than so many messages'],
  ),
  removedCheck(
    'messages-that-are-never-whole',
    ['ReadingRoom', 'if ($isTooMuch) this.#alone ??= $of;', ''],
    ['unit', 'unit/main/gateway/limits/message-budget.test.ts', 'every message becomes whole'],
  ),
  removedCheck(
    'program-that-does-not-read',
    ['createSocketEndpoint', 'await Promise.race([once($$drain), once($$close)]).catch(() => {});', ''],
    ['hostile', 'hostile/gateway-programs.test.ts', 'does not read'],
  ),
  removedCheck(
    'kept-though-the-server-answered',
    ['Requests', 'isCatalogued($method) && (await $answerKept($pending))', 'false'],
    ['contract', 'contract/gateway/away.test.ts', 'cannot be reached'],
  ),
  removedCheck(
    'kept-though-the-server-is-there',
    ['judgeFailure', "$a || wayOutOf(remedyOf($b)) !== undefined || isAbout($b, 'passing')", 'true'],
    ['hostile', 'hostile/gateway-kept.test.ts', 'in the place of a server that is there'],
  ),
  removedCheck(
    'lost-call-is-offline',
    ['judgeFailure', "$error instanceof LostRequest ? 'SESSION_LOST' : 'SERVER_OFFLINE'", "'SERVER_OFFLINE'"],
    ['unit', 'unit/main/gateway/answers/next-step.test.ts', 'is not to be made again unseen'],
  ),
  removedCheck(
    'kept-file-as-it-stands',
    ['Catalogue', "readEnvelope(Buffer.from($text)).kind === 'answer'", "$text !== ''"],
    ['hostile', 'hostile/gateway-kept.test.ts', 'has no answers in it'],
  ),
  removedCheck(
    'kept-folder-that-is-a-link',
    ['openCatalogueStore', 'try { refuseLinks($folder); return $names; } catch { return []; }', 'return $names;'],
    ['hostile', 'hostile/gateway-kept.test.ts', 'nor written or deleted through one'],
  ),
  removedCheck(
    'names-as-they-are-in-refusals',
    ['admit', '{ name: displayText($name), program: $program }', '{ name: $name, program: $program }'],
    ['hostile', 'hostile/gateway-programs.test.ts', 'GW-19'],
  ),
  removedCheck(
    'last-use-noted-with-each-call',
    ['LastUse', 'if (!isLater($at, this.#noted.get($program))) return;', ''],
    ['unit', 'unit/main/gateway/answers/last-use.test.ts', 'tries again a minute later'],
  ),
  removedCheck(
    'last-use-noted-unwanted',
    ['LastUse', 'const $isOn = await this.#ports.isOn();', 'const $isOn = true;'],
    ['unit', 'unit/main/gateway/answers/last-use.test.ts', 'where a person wants no calls noted'],
  ),
  removedCheck(
    'requests-lost-when-making-room',
    ['Requests', 'for (const { bytes } of $unsent) await $giveBack(bytes);', ''],
    ['contract', 'contract/gateway/give-back.test.ts', 'gives back what has not left'],
  ),
  removedCheck(
    'requests-done-by-both-gateways',
    ['PendingRequests', '$isOpen && !$hasLeft', '$isOpen'],
    ['contract', 'contract/gateway/give-back.test.ts', 'gives back what has not left'],
  ),
  removedCheck(
    'pipe-of-another-version',
    ['beginSession', 'if ($hello.protocol !== pipeProtocol) throw $error;', ''],
    ['contract', 'contract/gateway/pipe-version.test.ts', 'has to be restarted'],
  ),
  removedCheck(
    'cookie-for-another-host',
    ['readSetCookie', "if ($domain !== undefined && $domain !== '' && !$within) return undefined;", ''],
    ['unit', 'unit/main/mcp/http/session-cookies.test.ts', 'names a host of somebody else'],
  ),
  removedCheck(
    'secure-cookie-without-tls',
    ['readSetCookie', "if ($said.has('secure') && $url.protocol !== 'https:') return undefined;", ''],
    ['contract', 'contract/gateway/cookies.test.ts', 'a hostile server'],
  ),
  removedCheck(
    'cookie-to-another-origin',
    ['SessionCookies', '$cookie.origin === $origin', 'true'],
    ['unit', 'unit/main/mcp/http/session-cookies.test.ts', 'at another port'],
  ),
  removedCheck(
    'cookies-without-end',
    ['SessionCookies', 'if ($oldest !== undefined && $size > sessionCookies.count) $forget;', ''],
    ['unit', 'unit/main/mcp/http/session-cookies.test.ts', 'where there are too many'],
  ),
  removedCheck(
    'id-that-a-server-shortens',
    ['meansId', 'Number($key) === Number($asked)', 'false'],
    ['contract', 'contract/gateway/ids.test.ts', 'as JavaScript keeps it'],
  ),
  removedCheck(
    'call-that-may-have-been-done-made-again',
    ['judgeFailure', 'mayBeDone($error) ? lookFirst($step) : $step', '$step'],
    ['unit', 'unit/main/gateway/answers/next-step.test.ts', 'is not to be made again unseen'],
  ),
  removedCheck(
    'any-target-at-the-endpoint',
    ['createHttpEndpoint', '/^\\/mcp\\/(\\+?[a-z0-9-]{1,24})$/u', '/\\/mcp\\/(\\+?[a-z0-9-]{1,24})/u'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'GW-02'],
  ),
  removedCheck(
    'another-port-by-itself',
    ['createHttpEndpoint', "$server.listen($port, '127.0.0.1', $resolve)", "$server.listen(0, '127.0.0.1', $resolve)"],
    ['hostile', 'hostile/gateway-doors.test.ts', 'GW-05'],
  ),
  removedCheck(
    'two-requests-of-one-id',
    ['refuseAtOnce', 'if ($isUnderWay) return { code: rpcCode.notARequest, message: $text };', ''],
    ['hostile', 'hostile/gateway-programs.test.ts', 'GW-11'],
  ),
  removedCheck(
    'fields-of-a-program-for-its-server',
    ['passedFields', '[...$passed, ...$names]', "[...$passed, 'x-canary', ...$names]"],
    ['hostile', 'hostile/gateway-programs.test.ts', 'GW-17'],
  ),
  removedCheck(
    'flood-that-no-program-holds-back',
    ['listenToServer', 'await take($data)', 'void take($data)'],
    ['hostile', 'hostile/gateway-servers.test.ts', 'no more than a program takes'],
  ),
  removedCheck(
    'unanswered-question-that-comes-again-and-again',
    ['UseQuestions', 'if ($missed && $now < $missed.view.expiresAt + askedAgain) return no;', ''],
    ['unit', 'unit/main/window/asking/use-questions.test.ts', 'interrupts nobody for ten minutes'],
  ),
  removedCheck(
    'one-try-for-a-port-that-is-taken',
    ['HttpByNeed', '$cancel = $clock.after($pause, () => void $look());', ''],
    ['contract', 'contract/gateway/serve.test.ts', 'takes it when that has ended'],
  ),
  removedCheck(
    'socket-where-something-stands',
    ['createSocketEndpoint', 'removeSocket($path);', ''],
    ['hostile', 'hostile/gateway-doors.test.ts', 'GW-04'],
  ),
  removedCheck(
    'body-of-any-announced-length',
    [
      'readRequestBody',
      "if (Number($request.headers['content-length'] ?? 0) > gatewayMessage.size) return { kind: 'too-long' };",
      '',
    ],
    ['hostile', 'hostile/gateway-doors.test.ts', 'that is too long without reading it'],
  ),
  removedCheck(
    'body-of-any-length',
    ['readRequestBody', "$size += $x; if ($size > gatewayMessage.size) return { kind: 'too-long' };", '$size += $x;'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'that never ends'],
  ),
  removedCheck(
    'bodies-of-any-size-at-once',
    ['readRequestBody', 'await $holding.hold($size);', ''],
    ['hostile', 'hostile/gateway-doors.test.ts', 'holds 32 MiB of what one program sends'],
  ),
  removedCheck(
    'bodies-that-wait-for-one-another',
    ['ReadingRoom', 'this.#alone !== $of && $isTooMuch', '$isTooMuch'],
    ['unit', 'unit/main/net/endpoint/read-request-body.test.ts', 'lets one body go on'],
  ),
  removedCheck(
    'room-for-what-has-not-come',
    ['readRequestBody', 'let $size = 0;', 'let $size = 0; await holding.hold(gatewayMessage.size);'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'keeps no room for what has not come'],
  ),
  removedCheck(
    'body-that-stops',
    [
      'readRequestBody',
      "if ($next === undefined) return { kind: 'silent' };",
      'if ($next === undefined) return await new Promise(() => {});',
    ],
    ['hostile', 'hostile/gateway-doors.test.ts', 'gives up a body'],
  ),
  removedCheck(
    'program-that-goes-while-it-waits',
    ['readRequestBody', "$socket.once('close', $giveUp);", ''],
    ['unit', 'unit/main/net/endpoint/read-request-body.test.ts', 'has gone while it waited'],
  ),
  removedCheck(
    'refused-while-it-sends',
    ['createHttpEndpoint', 'if (!request.readableEnded) await $once.catch(() => {});', ''],
    ['hostile', 'hostile/gateway-doors.test.ts', 'says 413 to whoever first sends'],
  ),
  removedCheck(
    'http-program-that-does-not-read',
    [
      'createHttpEndpoint',
      'await pipeline($source, $response);',
      'for await (const part of $source) $response.write(part); $response.end();',
    ],
    ['hostile', 'hostile/gateway-programs.test.ts', 'does not read over HTTP'],
  ),
  removedCheck(
    'request-whose-answer-never-comes',
    ['Requests', 'if ($pending.isOpen) await this.#refuseAnswer($pending, undefined);', ''],
    ['hostile', 'hostile/gateway-servers.test.ts', 'GW-09'],
  ),
  removedCheck(
    'buffer-of-all-sessions',
    [
      'openSession',
      '$budget.openSession()',
      '((globalThis as { all?: ReturnType<typeof budget.openSession> }).all ??= budget.openSession())',
    ],
    ['hostile', 'hostile/gateway-programs.test.ts', 'gets no memory of others'],
  ),
  removedCheck(
    'any-number-of-fields-of-a-tool',
    ['ParameterHeaders', '$next !== undefined && $found.length < mostFields', '$next !== undefined'],
    ['unit', 'unit/main/gateway/messages/parameter-headers.test.ts', 'GW-16'],
  ),
  removedCheck(
    'kept-file-of-any-size',
    ['openCatalogueFiles', 'openServerFiles($a, catalogueFile)', 'openServerFiles($a, Infinity)'],
    ['hostile', 'hostile/gateway-kept.test.ts', 'that is huge'],
  ),
  removedCheck(
    'kept-file-by-a-link',
    ['openServerFiles', 'follow: false', 'follow: true'],
    ['hostile', 'hostile/gateway-kept.test.ts', 'is not read through a link'],
  ),
  removedCheck(
    'kept-questions-of-any-length',
    ['Catalogue', 'if ($key.length > catalogueKey) return;', ''],
    ['hostile', 'hostile/gateway-kept.test.ts', 'endless questions'],
  ),
  removedCheck(
    'any-number-of-connections-over-http',
    ['ConnectionRoom', 'if (this.#strangers.size <= gatewayHttp.strangers) return;', 'return;'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'serves no more connections'],
  ),
  removedCheck(
    'strangers-before-programs',
    ['ConnectionRoom', '$longest.destroy()', 'socket.destroy()'],
    ['hostile', 'hostile/gateway-doors.test.ts', 'GW-24'],
  ),
  removedCheck(
    'programs-taken-for-strangers',
    [
      'ConnectionRoom',
      'this.#strangers.delete($socket); this.#known.set($program, $own.add($socket));',
      'this.#known.set($program, $own.add($socket));',
    ],
    ['hostile', 'hostile/gateway-doors.test.ts', 'GW-24'],
  ),
  removedCheck(
    'any-number-of-connections-of-a-program',
    ['ConnectionRoom', 'if ($own.size >= gatewayHttp.ofProgram) return false;', ''],
    ['hostile', 'hostile/gateway-doors.test.ts', 'GW-26'],
  ),
  removedCheck(
    'any-number-of-refused-sessions',
    ['Bystanders', 'if (this.#refused.size + this.#asked.size > gatewaySession.bystanders) $first?.end();', ''],
    ['hostile', 'hostile/gateway-programs.test.ts', 'GW-26'],
  ),
  removedCheck(
    'question-pushed-out-by-refused-sessions',
    ['Bystanders', '$isAsked ? this.#asked : this.#refused', 'this.#refused'],
    ['unit', 'unit/main/gateway/limits/bystanders.test.ts', 'however many are refused'],
  ),
  removedCheck(
    'question-pushed-out-by-those-of-another-program',
    ['Bystanders', '(each) => each.program', '() => undefined'],
    ['unit', 'unit/main/gateway/limits/bystanders.test.ts', 'however many of another program do'],
  ),
  removedCheck(
    'session-ended-for-those-of-another-program',
    ['SessionRoom', 'ofWhoHasMost($byHttp, $whose)', '$byHttp'],
    ['unit', 'unit/main/gateway/limits/session-room.test.ts', 'that has most of them'],
  ),
  removedCheck(
    'question-with-the-place-of-a-refused-session',
    ['WaitingSession', 'this.#bystanders.enter($program, $hangUp, true)', 'this.#bystanders.enter($program, $hangUp)'],
    ['unit', 'unit/main/gateway/limits/bystanders.test.ts', 'of which a program has asked'],
  ),
  removedCheck(
    'words-of-the-gateway-from-a-server',
    [
      'readEnvelope',
      "if ((!$r && !$e) || $i === undefined || $at === undefined) return unusable('not-a-message');",
      "if ((!$r && !$e) || $i === undefined || $at === undefined) return { kind: 'notification', method: '', params: {}, bytes };",
    ],
    ['hostile', 'hostile/gateway-proxy.test.ts', 'hears no word of the gateway'],
  ),
  removedCheck(
    'endless-interim-answers',
    ['dispatchRequest', 'if ($interim > headerCount) fail(headersTooLarge($stage));', ''],
    ['hostile', 'hostile/gateway-proxy.test.ts', 'endless interim ones'],
  ),
  removedCheck(
    'handshake-without-end',
    ['exchange', 'isCatalogued($method) ? $deadline.mcpHeaders : undefined', 'undefined'],
    ['hostile', 'hostile/gateway-handshakes.test.ts', 'never answers a handshake'],
  ),
  removedCheck(
    'call-lost-with-a-handshake',
    ['beforeSending', '!($error instanceof LostRequest)', 'true'],
    ['hostile', 'hostile/gateway-handshakes.test.ts', 'never answers a handshake'],
  ),
  removedCheck(
    'revision-of-any-letters',
    [
      'readRevision',
      'const $isShort = $a; return $isShort && /^[\\x21-\\x7e]+$/u.test($value) ? $value : undefined;',
      'const $isShort = $a; return $isShort ? $value : undefined;',
    ],
    ['hostile', 'hostile/gateway-handshakes.test.ts', 'breaks the line, asked for'],
  ),
  removedCheck(
    'revision-of-any-length',
    ['readRevision', '$value.length <= gatewayMessage.versionLength', 'true'],
    ['hostile', 'hostile/gateway-handshakes.test.ts', 'longer than a revision, asked for'],
  ),
  removedCheck(
    'old-endpoint-elsewhere',
    ['oldEndpoint', '$url.origin === $from.origin', 'true'],
    ['hostile', 'hostile/old-transport.test.ts', 'at another origin is refused'],
  ),
  removedCheck(
    'old-endpoint-with-a-user',
    ['oldEndpoint', "$url.username === ''", 'true'],
    ['hostile', 'hostile/old-transport.test.ts', 'with a user is refused'],
  ),
  removedCheck(
    'old-endpoint-of-any-length',
    ['oldEndpoint', '$address.length > urlLength.received', 'false'],
    ['hostile', 'hostile/old-transport.test.ts', 'that is too long is refused'],
  ),
  removedCheck(
    'old-endpoint-named-again',
    ['OldSession', 'if (this.#isNamed || $name !== endpointEvent) return;', 'if ($name !== endpointEvent) return;'],
    ['hostile', 'hostile/old-transport.test.ts', 'that is named again changes nothing'],
  ),
  removedCheck(
    'old-endpoint-after-a-message',
    ['OldSession', 'if (!this.#isNamed) return;', ''],
    ['hostile', 'hostile/old-transport.test.ts', 'that comes after a message'],
  ),
  removedCheck(
    'back-to-the-old-transport-by-a-command',
    ['openServer', '$era === undefined || $isOld ? $transport : undefined', '$transport'],
    ['hostile', 'hostile/old-transport.test.ts', 'and shows the old one now'],
  ),
  removedCheck(
    'back-to-the-old-transport-by-a-program',
    ['ServedServer', "if ($era !== undefined && $era !== 'sse') return $fetch;", ''],
    ['hostile', 'hostile/old-transport.test.ts', 'and shows the old one now'],
  ),
  removedCheck(
    'unheard-messages-without-end',
    [
      'UnheardMessages',
      'if (this.#messages.length >= $count || this.#bytes + $message.byteLength > $size) return;',
      '',
    ],
    ['unit', 'unit/main/mcp/http/unheard-messages.test.ts', 'large'],
  ),
  removedCheck(
    'subscription-that-ends-with-its-connection',
    ['Listening', 'if ($signal.aborted || !$ports.judge($error).isAway) throw $error;', 'throw $error;'],
    ['contract', 'contract/gateway/http-subscriptions.test.ts', 'keeps a subscription whose server goes away'],
  ),
  removedCheck(
    'acknowledged-twice',
    ['Session', 'if (this.#listening.isRepeated($message, $of)) return await this.announce();', ''],
    ['contract', 'contract/gateway/http-subscriptions.test.ts', 'goes on with it'],
  ),
  removedCheck(
    'told-of-what-it-did-not-ask-for',
    ['wants', "$asked($request)[$members[$change] ?? ''] === true", 'true'],
    ['contract', 'contract/gateway/http-subscriptions.test.ts', 'on its next subscription to that'],
  ),
];
