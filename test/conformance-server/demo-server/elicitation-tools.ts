import {
  CLIENT_CAPABILITIES_META_KEY,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  InputRequest,
  InputRequiredResult,
  McpServer,
  RequestMetaEnvelope,
  ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { textResult } from './samples.ts';

type Form = Extract<Parameters<typeof inputRequired.elicit>[0]['requestedSchema'], { properties: unknown }>;
type ToolResponse = CallToolResult | InputRequiredResult;

/** Seals what a call has to remember until it is repeated. */
export const callState = createRequestStateCodec<{ readonly step: number }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

/**
 * Tools that ask the client before they respond. In a session the SDK sends a request of its own; a stateless call is
 * repeated with the responses.
 */
export function addElicitationTools(server: McpServer): void {
  const text = (name: string) => z.object({ [name]: z.string() });
  const asks = (name: string, ask: (context: ServerContext) => ToolResponse | Promise<ToolResponse>): void => {
    server.registerTool(name, { description: 'Asks before it answers.' }, ask);
  };

  server.registerTool(
    'test_sampling',
    { description: 'Asks the model of the client.', inputSchema: text('prompt') },
    ({ prompt = '' }, { mcpReq }) => {
      const response = inputResponse(mcpReq.inputResponses, 'model');
      if (response.kind === 'sampling') return textResult(`LLM response: ${JSON.stringify(response.result.content)}`);
      return inputRequired({ inputRequests: { model: sample(prompt) } });
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user.', inputSchema: text('message') },
    ({ message = '' }, { mcpReq }) => askUser(mcpReq, message, { username: word, email: word }),
  );
  asks('test_elicitation_sep1034_defaults', ({ mcpReq }) => askUser(mcpReq, 'With defaults', defaults));
  asks('test_elicitation_sep1330_enums', ({ mcpReq }) => askUser(mcpReq, 'Choices of each kind', choices));
  asks('test_streaming_elicitation', ({ mcpReq }) => askUser(mcpReq, 'On a stream', { name: word }));

  asks('test_input_required_result_elicitation', ({ mcpReq }) => {
    const content = acceptedContent(mcpReq.inputResponses, 'user_name', text('name'));
    return content
      ? textResult(`Hello, ${content['name']}!`)
      : inputRequired({ inputRequests: { user_name: askName } });
  });
  asks('test_input_required_result_sampling', ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (response.kind === 'sampling') return textResult(JSON.stringify(response.result.content));
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } });
  });
  asks('test_input_required_result_list_roots', ({ mcpReq }) => {
    const response = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (response.kind === 'roots') return textResult(...response.roots.map(({ uri }) => uri));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  asks('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    const { inputResponses } = mcpReq;
    const inputRequests = {
      user_name: askName,
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    };
    const isComplete = Object.keys(inputRequests).every((key) => inputResponse(inputResponses, key).kind !== 'missing');
    if (isComplete && mcpReq.requestState() !== undefined) return textResult(JSON.stringify(inputResponses));
    return inputRequired({ inputRequests, requestState: await callState.mint({ step: 1 }) });
  });
  for (const name of ['request_state', 'tampered_state']) {
    asks(`test_input_required_result_${name}`, async ({ mcpReq }) => {
      const confirmed = acceptedContent(mcpReq.inputResponses, 'confirm', z.object({ ok: z.boolean() }));
      if (confirmed && mcpReq.requestState() !== undefined) return textResult('state-ok');
      const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema: form({ ok: yesOrNo }) });
      return inputRequired({ inputRequests: { confirm }, requestState: await callState.mint({ step: 1 }) });
    });
  }
  asks('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const { step } = mcpReq.requestState<{ step: number }>() ?? { step: 0 };
    if (step === 2 && acceptedContent(mcpReq.inputResponses, 'step2')) return textResult('Both answers are here.');
    const isNext = step === 1 && acceptedContent(mcpReq.inputResponses, 'step1') !== undefined;
    const question = isNext
      ? { step2: elicit('Step 2: What is your favorite color?', { color: word }) }
      : { step1: elicit('Step 1: What is your name?', { name: word }) };
    return inputRequired({ inputRequests: question, requestState: await callState.mint({ step: isNext ? 2 : 1 }) });
  });
  asks('test_input_required_result_capabilities', ({ mcpReq }) => {
    const can = mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY as keyof RequestMetaEnvelope] as
      ClientCapabilities | undefined;
    return inputRequired({
      inputRequests: {
        ...(can?.sampling && { greeting: sample('Generate a greeting') }),
        ...(can?.elicitation && { user_name: askName }),
        ...(can?.roots && { client_roots: inputRequired.listRoots() }),
      },
    });
  });
  // The SDK rejects what the client cannot answer.
  asks('test_missing_capability', () => inputRequired({ inputRequests: { greeting: sample('Generate a greeting') } }));
}

function askUser(
  { inputResponses }: ServerContext['mcpReq'],
  message: string,
  fields: Form['properties'],
): ToolResponse {
  const response = inputResponse(inputResponses, 'person');
  if (response.kind === 'elicit')
    return textResult(`action=${response.action}, content=${JSON.stringify(response.content)}`);
  return inputRequired({ inputRequests: { person: elicit(message, fields) } });
}

export function elicit(message: string, fields: Form['properties']): InputRequest {
  return inputRequired.elicit({ message, requestedSchema: form(fields) });
}

function form(properties: Form['properties']): Form {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function sample(text: string): InputRequest {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 });
}

export const word = { type: 'string' } as const;
const yesOrNo = { type: 'boolean' } as const;
const askName = elicit('What is your name?', { name: word });

const defaults: Form['properties'] = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = [
  { const: 'value1', title: 'First' },
  { const: 'value2', title: 'Second' },
];
const choices: Form['properties'] = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2'] },
  titledSingle: { type: 'string', oneOf: titled },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2'] } },
  titledMulti: { type: 'array', items: { anyOf: titled } },
};
