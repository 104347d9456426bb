import type { Command } from 'commander';
import type { Terminal } from '../command-line.ts';
import { decisions } from './decisions.ts';
import { importCommand } from './import.ts';
import { journalCommands } from './journal.ts';
import { keyCommands } from './keys.ts';
import { addCommand } from './operate.ts';
import { addOperatorCommand } from './operator.ts';
import { erasePayerCommand } from './payer.ts';
import { restoreCheckCommand } from './restore-check.ts';
import { statusCommand } from './status.ts';

const groups = {
  ...decisions,
  journal: { about: 'Every movement of money, between two accounts.', commands: journalCommands },
  keys: {
    about: 'Master keys: what seals credentials, secrets and what providers sent.',
    commands: keyCommands,
  },
  payer: { about: 'The people who pay.', commands: [erasePayerCommand] },
};

/** `npm run ops`. */
export function ops(root: Command, terminal: Terminal): void {
  root
    .name('ops')
    .description(
      'The state of the service, and decisions of operators. Each decision is written to the ' +
        'audit log of its tenant as done by `operator`, with their name where there are OPERATORS.',
    )
    .addHelpText(
      'after',
      `
Works on DATABASE_URL, or, when that is unset, on the running local stack of LOCAL_DIR.
With --json the answer is one JSON object on one line; logs go to stderr. Exit 0: done. Exit 1: not done, stderr says why.`,
    );
  addCommand(root, terminal, statusCommand);
  addCommand(root, terminal, importCommand);
  addCommand(root, terminal, restoreCheckCommand);
  addOperatorCommand(root, terminal);
  for (const [name, { about, commands }] of Object.entries(groups)) {
    const group = root.command(name).description(about);
    for (const command of commands) addCommand(group, terminal, command);
  }
}
