import { startProgram } from './command-line.ts';
import { tenant } from './tenant/program.ts';

await startProgram(tenant);
