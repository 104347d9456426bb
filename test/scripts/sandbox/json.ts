/**
 * What came over the wire has no type; whether it has the right shape is what the tests find out.
 */
export type Json = any;
