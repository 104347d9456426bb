import type { Command } from 'commander';
import { operatorName } from '../../config/operator-lines.ts';
import { SetupError } from '../../config/setup-error.ts';
import { hashPassword, newPassword } from '../../domain/accounts/token/credentials.ts';
import type { Terminal } from '../command-line.ts';

/** Prints the line alone, so that it can be added to a file. It needs no database. */
export function addOperatorCommand(root: Command, { stdout, stderr }: Terminal): void {
  root
    .command('operator <name>')
    .description('make a password for an operator, and the line of OPERATORS that lets them in')
    .option('--json', 'print one JSON object and nothing else')
    .action(async (name: string, { json }: { json?: boolean }) => {
      if (!operatorName.test(name))
        throw new SetupError('A name is 1 to 100 letters, digits, or . _ @ -');
      const password = newPassword();
      const line = `${name}:${await hashPassword(password)}`;
      if (json) return void stdout.write(`${JSON.stringify({ name, password, line })}\n`);
      stdout.write(`${line}\n`);
      stderr.write(`The password of ${name}, shown this once: ${password}\n`);
    });
}
