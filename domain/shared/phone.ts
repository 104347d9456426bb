import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * A phone number in E.164, parsed as Nigerian unless it names its country; unchanged where it
 * cannot be parsed.
 */
export function normalisePhone(phone: string): string {
  return parsePhoneNumberFromString(phone, 'NG')?.number ?? phone;
}
