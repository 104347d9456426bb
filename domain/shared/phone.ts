import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** E.164 as people write it, with blanks; unchanged where it cannot be parsed. */
export function spacedPhone(phone: string): string {
  return parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
}

/** E.164, Nigerian unless it names its country; unchanged where it cannot be parsed. */
export function normalisePhone(phone: string): string {
  return parsePhoneNumberFromString(phone, 'NG')?.number ?? phone;
}
