export const statusOf = {
  validation_failed: 422,
  unauthorized: 401,
  forbidden: 403,
  https_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  invalid_state: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  no_provider: 422,
  rate_limited: 429,
  server_error: 500,
  unavailable: 503,
} as const;

export type ProblemCode = keyof typeof statusOf;

/** Nested names dotted; in plain words. */
export type Fields = Record<string, string>;

/** The caller can act on it. `message` is safe to show. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly fields: Fields | undefined;
  readonly headers: Record<string, string>;
  readonly status: number;

  constructor(
    code: ProblemCode,
    message: string,
    options: { fields?: Fields; headers?: Record<string, string>; status?: number } = {},
  ) {
    super(message);
    this.name = 'Problem';
    this.code = code;
    this.status = options.status ?? statusOf[code];
    this.fields = options.fields;
    this.headers = options.headers ?? {};
  }
}

export function invalid(fields: Fields): Problem {
  const names = Object.keys(fields);
  const first =
    names[0] === undefined ? 'The request is not valid.' : `${names[0]} ${fields[names[0]]}.`;
  const rest = names.length > 1 ? ` (and ${names.length - 1} more in fields)` : '';
  return new Problem('validation_failed', `${first}${rest}`, { fields });
}
