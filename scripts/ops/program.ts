import type { Command } from 'commander';
import type { Terminal } from '../command-line.ts';
import { addDiscrepancyCommands } from './discrepancies.ts';
import { addDisputeCommands } from './disputes.ts';
import { addKeyCommands } from './keys.ts';
import { addPayerCommands } from './payer.ts';
import { addRefundCommands } from './refunds.ts';
import { addReviewCommands } from './reviews.ts';
import { addStatusCommand } from './status.ts';

/** `npm run ops`. */
export function ops(root: Command, terminal: Terminal): void {
  root
    .name('ops')
    .description(
      'The state of the service, and decisions of operators. Each decision is written to the ' +
        'audit log of its tenant as done by `operator`.',
    )
    .addHelpText(
      'after',
      `
Works on DATABASE_URL, or, when that is unset, on the running local stack of LOCAL_DIR.
With --json the answer is one JSON object on one line; logs go to stderr. Exit 0: done. Exit 1: not done, stderr says why.`,
    );
  for (const add of [
    addStatusCommand,
    addReviewCommands,
    addRefundCommands,
    addDisputeCommands,
    addDiscrepancyCommands,
    addKeyCommands,
    addPayerCommands,
  ])
    add(root, terminal);
}
