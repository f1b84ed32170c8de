import { displayPlace } from '../../address/display-place.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import { windowWords } from '../../window-words.ts';
import type { Connection } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * The file whose assertion stands in for a sign-in. What is in it is as good as a password, so that no page names one:
 * the person chooses it in a dialog of the system, for the server that this names. False: they chose none. Errors:
 * ASSERTION_INVALID for one that cannot be read or that others can write.
 */
export async function chooseAssertionFile(
  { shell, ports, changed }: Pick<DesktopContext, 'shell' | 'ports' | 'changed'>,
  connection: Connection,
): Promise<boolean> {
  const { url } = connection.wanted;
  const file = await shell.chooseFile(windowWords.assertionFile(displayPlace(new URL(url))));
  // Another address was checked behind the dialog.
  if (file === undefined || connection.wanted.url !== url) return false;
  const read = await ports.assertions.read(file);
  if (!(read instanceof Secret))
    throw new PosternError('ASSERTION_INVALID', { stage: 'token', detail: { fault: read, file } });
  connection.wanted = { ...connection.wanted, options: { ...connection.wanted.options, assertionFile: file } };
  changed('connections');
  return true;
}
