/**
 * True of errors after which the same may work later: PostgreSQL classes 08 (connection), 53 (no
 * connection, disk or memory left) and 57P (shutdown), a disk that fails, time-outs, deadlocks,
 * errors of finding the server and of connecting.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && AWAY.test(code)) return true;
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

const AWAY =
  /^(08|53|57P|57014$|58030$|55P03$|40P01$|25P03$|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_)/;
