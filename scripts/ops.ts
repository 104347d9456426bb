import { startProgram } from './command-line.ts';
import { ops } from './ops/program.ts';

await startProgram(ops);
