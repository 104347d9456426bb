export { ApiError, ConnectionError, PaymentsError, SignatureError } from './errors.js';
export { cursorFile } from './follow.js';
export { Payments } from './payments.js';
export { signWebhook, verifyWebhook, webhookListener, webhookRoute } from './webhooks.js';
