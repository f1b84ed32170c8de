export interface WebRtcTargets {
  readonly tcp: number;
  readonly udp: number;
  /** Domain below which names are looked up; none if absent. */
  readonly domain?: string;
}

/**
 * Tries every way WebRTC sends something on its own: STUN and TURN over UDP, TURN over TCP and TLS, and a peer at a
 * chosen address. Returns the local addresses that it learned. Each attempt ends once it has learned one or no server
 * is left; packets may arrive later. Sent into pages as text.
 */
export async function tryWebRtc({ tcp, udp, domain }: WebRtcTargets): Promise<string[]> {
  const learned: string[] = [];
  const login = { username: 'what', credential: 'leaks' };
  const tries: { servers: RTCIceServer[]; candidates?: string[] }[] = [
    { servers: [{ urls: `stun:127.0.0.1:${udp}` }] },
    { servers: [{ urls: `turn:127.0.0.1:${udp}?transport=udp`, ...login }] },
    { servers: [{ urls: `turn:127.0.0.1:${tcp}?transport=tcp`, ...login }] },
    { servers: [{ urls: `turns:127.0.0.1:${tcp}?transport=tcp`, ...login }] },
    {
      servers: [],
      candidates: [
        `candidate:1 1 udp 2130706431 127.0.0.1 ${udp} typ host`,
        `candidate:2 1 tcp 1518280447 127.0.0.1 ${tcp} typ host tcptype passive`,
      ],
    },
    ...(domain === undefined
      ? []
      : [
          { servers: [{ urls: `stun:stun.${domain}:${udp}` }] },
          { servers: [{ urls: `turn:turn-udp.${domain}:${udp}?transport=udp`, ...login }] },
          { servers: [{ urls: `turn:turn-tcp.${domain}:${tcp}?transport=tcp`, ...login }] },
        ]),
  ];
  const attempt = async ({ servers, candidates = [] }: (typeof tries)[number]): Promise<void> => {
    const connection = new RTCPeerConnection({ iceServers: servers });
    const gathered = new Promise<void>((resolve) => {
      connection.addEventListener('icecandidate', ({ candidate }) => {
        if (candidate?.candidate === '') return;
        // The last candidate is null (W3C WebRTC 4.8.2); with a silent server it takes most of a minute.
        if (candidate !== null) learned.push(candidate.candidate);
        resolve();
      });
    });
    connection.createDataChannel('data');
    await connection.setLocalDescription(await connection.createOffer());
    if (candidates.length === 0) return await gathered;
    const [fingerprint] = /a=fingerprint:.*/u.exec(connection.localDescription?.sdp ?? '') ?? [];
    const answer = [
      'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\na=ice-lite',
      'm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\nc=IN IP4 0.0.0.0\r\na=mid:0',
      `a=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\n${fingerprint}\r\na=setup:passive\r\na=sctp-port:5000\r\n`,
    ];
    await connection.setRemoteDescription({ type: 'answer', sdp: answer.join('\r\n') });
    for (const candidate of candidates) await connection.addIceCandidate({ candidate, sdpMid: '0' });
    await gathered;
  };
  // A page that may not even try gets an exception.
  await Promise.allSettled(tries.map(attempt));
  return learned;
}
