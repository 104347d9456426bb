import pg from 'pg';

/** In a session of its own: those of before do not survive every fault. */
export async function queryOnce<Row>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const types = { getTypeParser };
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, types });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

const INT8 = 20;

/** Kobo and counts are numbers. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');
}
