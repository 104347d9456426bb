import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * A phone number in E.164, read as Nigerian unless it names its country; kept as given where it
 * cannot be read.
 */
export function normalisePhone(phone: string): string {
  return parsePhoneNumberFromString(phone, 'NG')?.number ?? phone;
}
