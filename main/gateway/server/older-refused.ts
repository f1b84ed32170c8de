import { PosternError } from '../../postern-error.ts';

/** An older program's handshake has failed at a server that knows the newer wire. */
export class OlderRefused extends PosternError {
  constructor() {
    super('ERA_UNSUPPORTED', { stage: 'gateway' });
  }
}
