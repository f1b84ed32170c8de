import type { Behavior } from '../honest-answers.ts';

/** Reset before the first byte of the response. */
export const reset: Behavior = ({ request }) => void request.socket.destroy();

/** Half of the announced length, then the end. */
export const halfClose: Behavior = ({ request }) => {
  request.socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"half":');
};

/** Not HTTP at all, with a forged log line and a terminal escape. */
export const garbage: Behavior = ({ request, scene }) => {
  request.socket.end(`\u001b[2J${scene.canaries.taunt}\r\n{"event":"forged"}\r\n\r\n`);
};

/** Endless informational responses, each too late for their count to reach its limit before the deadline. */
export const endlessContinue: Behavior = ({ request }) => {
  const timer = setInterval(() => request.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
  request.socket.on('close', () => clearInterval(timer));
};
