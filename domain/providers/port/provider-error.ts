/**
 * `refused`: surely nothing happened, and a repeat will not help. `duplicate`: the reference was
 * accepted before. `retryable`: surely nothing happened. `limited` and `unavailable` (an open
 * breaker) say nothing about the subject: it is asked about again, and no try is counted.
 * `unknown`: it may have happened.
 */
export type ProviderErrorKind =
  | 'refused'
  | 'duplicate'
  | 'retryable'
  | 'limited'
  | 'unavailable'
  | 'unknown';

export interface ProviderErrorOptions extends ErrorOptions {
  retryAfterMs?: number | null;
  refusesCredentials?: boolean;
  isOverBudget?: boolean;
}

export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly stage: string;
  readonly retryAfterMs: number | null;
  readonly refusesCredentials: boolean;
  readonly isOverBudget: boolean;

  constructor(
    kind: ProviderErrorKind,
    stage: string,
    message: string,
    {
      retryAfterMs = null,
      refusesCredentials = false,
      isOverBudget = false,
      ...options
    }: ProviderErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ProviderError';
    this.kind = kind;
    this.stage = stage;
    this.retryAfterMs = retryAfterMs;
    this.refusesCredentials = refusesCredentials;
    this.isOverBudget = isOverBudget;
  }
}

export function isDeferral({ kind }: Pick<ProviderError, 'kind'>): boolean {
  return kind === 'limited' || kind === 'unavailable';
}

/** For `catch`: every other error is thrown on. */
export function onlyProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  throw error;
}
