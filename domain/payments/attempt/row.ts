import type { RowOf } from '../../shared/columns.ts';
import type { Attempt } from '../entities/attempt.ts';

export type AttemptRow = RowOf<typeof Attempt>;
