import { Command } from 'commander';
import { discrepancyCommands } from './ops/discrepancies.ts';
import { disputeCommands } from './ops/disputes.ts';
import { refundCommands } from './ops/refunds.ts';
import { reviewCommands } from './ops/reviews.ts';

const program = new Command('ops')
  .description('What an operator may do. Everything done here is written to the audit log of its tenant, as done by `operator`.')
  .addHelpText(
    'after',
    `
Works on DATABASE_URL, or, when that is unset, on the running local stack of LOCAL_DIR.
With --json the answer is one JSON object on one line; logs go to stderr. Exit 0: done. Exit 1: not done, and stderr says why.`,
  );
program.addCommand(reviewCommands()).addCommand(refundCommands()).addCommand(disputeCommands()).addCommand(discrepancyCommands());
await program.parseAsync();
