import { p } from '@mikro-orm/core';

/** Text of ASCII characters, compared byte by byte: ids, hashes, references. */
export const ascii = () => p.text().collation('C');

/** An amount of money. It never passes 2^53, so it is a number. */
export const kobo = () => p.bigint('number');

export const timestamp = () => p.datetime().columnType('timestamptz');
