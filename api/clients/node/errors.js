export class PaymentsError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

export class ConnectionError extends PaymentsError {}

export class SignatureError extends PaymentsError {}

export class ApiError extends PaymentsError {
  /**
   * @param {Response} response
   * @param {string} text
   */
  constructor(response, text) {
    const body = problemIn(text);
    const {
      code,
      message,
      fields = {},
    } = body?.error ?? {
      code: 'unexpected_answer',
      message: `The answer ${response.status} is not in the form of the service`,
    };
    const details = Object.entries(fields).map(([name, wrong]) => `${name} ${wrong}`);
    super(code, details.join('; ') || message);
    this.status = response.status;
    this.fields = fields;
    this.body = body ?? text;
    this.requestId = response.headers.get('request-id') ?? undefined;
    this.retryAfterSeconds = secondsIn(response.headers.get('retry-after'));
  }
}

/** @param {string} text */
function problemIn(text) {
  try {
    const body = JSON.parse(text);
    return typeof body?.error?.code === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Proxies may send a date instead. @param {string | null} header */
function secondsIn(header) {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
