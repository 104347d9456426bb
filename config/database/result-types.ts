import pg from 'pg';

export const types = { getTypeParser } as pg.CustomTypesConfig;

const INT8 = 20;
const DATE = 1082;

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return safeNumber;
  if (oid === DATE) return String; // a day, the same in every time zone
  return pg.types.getTypeParser(oid, format as 'text');
}

function safeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly.`);
  return value;
}
