import { startProgram } from './command-line.ts';
import { reconcile } from './reconcile/program.ts';

await startProgram(reconcile);
