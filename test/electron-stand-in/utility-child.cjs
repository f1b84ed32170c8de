// Loaded before a utility process's own script: Electron's process.parentPort over Node's IPC channel.
'use strict';
const { EventEmitter } = require('node:events');

const port = new EventEmitter();
port.postMessage = (message) => process.send(message);
port.start = () => {};
const early = [];
port.on('newListener', (name) => {
  if (name !== 'message') return;
  setImmediate(() => early.splice(0).forEach((event) => port.emit('message', event)));
});
process.on('message', (data) => {
  const event = { data, ports: [] };
  if (port.listenerCount('message') > 0) port.emit('message', event);
  else early.push(event);
});
Object.defineProperty(process, 'parentPort', { value: port });
Object.defineProperty(process, 'type', { value: 'utility' });
