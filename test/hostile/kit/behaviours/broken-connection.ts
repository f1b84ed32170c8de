import type { Behaviour } from '../honest-answers.ts';

/** Reset before a byte of the answer. */
export const reset: Behaviour = ({ request }) => void request.socket.destroy();

/** Half of what was announced, then the end. */
export const halfClose: Behaviour = ({ request }) => {
  request.socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"half":');
};

/** What is no HTTP at all, with a forged log line and a terminal escape in it. */
export const garbage: Behaviour = ({ request, scene }) => {
  request.socket.end(`\u001b[2J${scene.canaries.taunt}\r\n{"event":"forged"}\r\n\r\n`);
};

/** Informational answers without an end, each too late for their number to reach its bound before the deadline. */
export const endlessContinue: Behaviour = ({ request }) => {
  const timer = setInterval(() => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
  request.socket.on('close', () => clearInterval(timer));
};
