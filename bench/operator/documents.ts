import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/tools.ts';

/** Returns the shell commands of a document; a heredoc is one command with its lines. */
function listCommands(file: string): string[] {
  const blocks = [...readFileSync(join(root, file), 'utf8').matchAll(/```sh\n(.*?)```/gs)];
  return blocks.flatMap(([, block = '']) => splitCommands(block));
}

function splitCommands(block: string): string[] {
  const commands: string[] = [];
  let end: string | undefined;
  for (const line of block.split('\n')) {
    if (end !== undefined) {
      commands.push(`${commands.pop()}\n${line}`);
      if (line === end) end = undefined;
    } else if (line.trim() !== '') {
      // Comments after a command explain it to the reader.
      commands.push(line.replace(/\s+#.*$/, ''));
      end = /<<'(\w+)'$/.exec(line)?.[1];
    }
  }
  return commands;
}

/**
 * Returns a function that finds the command of a document by its beginning, so that only commands that operators read
 * there are run. Fails if the document does not contain it.
 */
export function openDocument(file: string): (beginning: string) => string {
  const commands = listCommands(file);
  return (beginning) => {
    const command = commands.find((line) => line.startsWith(beginning));
    if (command === undefined) throw new Error(`${file} has no command that begins with: ${beginning}`);
    return command;
  };
}
