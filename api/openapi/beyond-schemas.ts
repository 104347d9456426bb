interface Rule {
  fields: string[];
  /** Absent: every operation that has the field. */
  operations?: string[];
  rule: string;
}

/** Fields that are refused though they are as their schema says: no schema can say these rules. */
export const beyondSchemas: Rule[] = [
  { fields: ['cursor', 'after'], rule: 'a position in the same list; not both' },
  { fields: ['from'], rule: 'not after `to`' },
  { fields: ['customer'], rule: 'a real e-mail address, or a phone number' },
  { fields: ['time_zone'], operations: ['updateBusiness'], rule: 'one that exists' },
  {
    fields: ['amount_kobo', 'return_url', 'description'],
    operations: ['createCharge'],
    rule: 'what the public key allows, if it is sent with one',
  },
  {
    fields: ['Test-Scenario'],
    operations: ['createCharge'],
    rule: 'in test mode, on a connection to the sandbox',
  },
  {
    fields: ['amount_kobo'],
    operations: ['requestRefund'],
    rule: 'at most what is left of the charge',
  },
  { fields: ['file'], operations: ['sendDisputeEvidence'], rule: 'a whole PDF, JPEG or PNG' },
  {
    fields: ['logo'],
    operations: ['setLogo'],
    rule: 'a whole picture of at most 4096 pixels in width and in height',
  },
  {
    fields: ['refunds_require_second_person', 'refunds_require_two_owners_above_kobo'],
    operations: ['updateBusiness'],
    rule: 'where two Owners can sign in',
  },
  {
    fields: ['month'],
    operations: ['getStatement'],
    rule: 'not ahead, and not before the business was created',
  },
  {
    fields: ['min_amount_kobo', 'max_amount_kobo', 'allowed_origins', 'description'],
    operations: ['createApiKey', 'updateApiKey'],
    rule: 'of a public key, and the least amount not above the greatest',
  },
  {
    fields: ['url'],
    operations: ['createWebhookEndpoint', 'updateWebhookEndpoint'],
    rule: 'on the public internet',
  },
  {
    fields: ['since'],
    operations: ['resendToWebhookEndpoint'],
    rule: 'at most 60 days ago',
  },
  {
    fields: ['provider', 'credentials'],
    operations: ['createConnection', 'updateConnection'],
    rule: 'a slot with a provider behind it, and credentials of the mode that this provider accepts',
  },
  { fields: ['email'], operations: ['createMember'], rule: 'of no member yet' },
  {
    fields: ['code'],
    operations: ['createToken'],
    rule: 'from the authenticator of a member who has one',
  },
];

/** Markdown: one line for each rule. */
export function inWords({ fields, operations, rule }: Rule): string {
  const names = (words: string[]) => words.map((word) => `\`${word}\``).join(', ');
  return `- ${names(fields)}${operations ? ` of ${names(operations)}` : ''}: ${rule}.`;
}
