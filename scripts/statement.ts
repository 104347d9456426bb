import { startProgram } from './command-line.ts';
import { statement } from './statement/program.ts';

await startProgram(statement);
