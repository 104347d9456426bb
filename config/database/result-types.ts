import pg from 'pg';

export const types = { getTypeParser } as pg.CustomTypesConfig;

const INT8 = 20;

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? safeNumber : pg.types.getTypeParser(oid, format as 'text');
}

function safeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly.`);
  return value;
}
