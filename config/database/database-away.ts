/**
 * True of errors after which the same may work later: PostgreSQL classes 08 (connection) and 57P
 * (shutdown), too many connections, time-outs, deadlocks, errors of connecting.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (
    typeof code === 'string' &&
    /^(08|57P|57014$|55P03$|40P01$|25P03$|53300$|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/.test(code)
  )
    return true;
  return (
    typeof message === 'string' &&
    /(timeout exceeded when trying to connect|Connection terminated|Query read timeout)/.test(
      message,
    )
  );
}

/** True: PostgreSQL gave up a statement at `statement_timeout`. */
export function isTooLong(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014';
}
