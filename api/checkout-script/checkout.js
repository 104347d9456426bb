// Opens the hosted checkout in a window of its own, for web pages with a public key.
// One file of ES2019 without dependency. Nothing in it throws into the page that loads it.
(() => {
  // An element with this name as its id is no property of the window's own.
  if (Object.hasOwn(window, 'PaymentCheckout')) return;

  const TYPE = 'payment-checkout';
  const WINDOW_FEATURES = 'popup=yes,width=480,height=760';
  const TRIES = 3;
  const SECOND = 1000;
  /** A payment that was made just now is confirmed within this time, so `onClose` waits for it. */
  const GRACE = 3 * SECOND;
  /** How long the outcome is asked for after the window was closed. */
  const WATCH = 30 * 60 * SECOND;

  const script = document.currentScript;
  const service = script && script.src ? script.src.replace(/\/v1\/checkout[^/]*$/, '') : null;

  /** Checkouts whose outcome is not known yet. */
  const sessions = new Set();

  window.PaymentCheckout = Object.freeze({
    open: (options) => guarded(() => openCheckout(Object(options))),
  });
  window.addEventListener('message', (event) => guarded(() => receive(event)));
  document.addEventListener('click', (event) => guarded(() => openByElement(event, 'button')));
  document.addEventListener('submit', (event) => guarded(() => openByElement(event, 'form')));

  function guarded(action) {
    try {
      return action();
    } catch (error) {
      console.error('PaymentCheckout:', error);
    }
  }

  /** Called in a click: the window has to be opened before anything is waited for. */
  function openCheckout(options) {
    const refusal = refusalOf(options);
    if (refusal) return call(options, 'onFailure', { error: refusal });
    const body = bodyOf(options);
    const id = JSON.stringify([options.key, body]);
    const [open] = [...sessions].filter((session) => session.id === id && isOpening(session));
    if (open) return open.window && open.window.focus();
    const session = { id, options, body, window: openWindow(), idempotencyKey: randomKey() };
    // Where there is no window, this page is left, and the payer is led back to it.
    if (!session.window && !body.return_url) body.return_url = location.href.split('#')[0];
    sessions.add(session);
    create(session, 1).catch((error) => refuse(session, { error: unreachable(error) }));
  }

  function refusalOf({ key }) {
    if (service === null)
      return refusal('not_loaded', 'Load checkout.js by a script element with its own address.');
    if (/^svc_sk_/.test(key))
      return refusal('secret_key', 'This is a secret key, for servers only. Revoke it now.');
    if (!/^svc_pk_/.test(key)) return refusal('no_key', 'Give a public key, `svc_pk_…`, as `key`.');
    return null;
  }

  function refusal(code, message) {
    return { code, message };
  }

  function unreachable(error) {
    return refusal('unreachable', `The payment service did not answer: ${error && error.message}`);
  }

  const FIELDS = ['amount_kobo', 'email', 'name', 'phone', 'description', 'reference', 'metadata'];

  function bodyOf(options) {
    const body = {};
    for (const field of [...FIELDS, 'return_url', 'provider']) {
      const value = options[field];
      if (value !== undefined && value !== null && value !== '') body[field] = value;
    }
    return body;
  }

  function isOpening({ window: opened, isClosed }) {
    return !isClosed && !(opened && opened.closed);
  }

  /**
   * Null where windows are blocked, or where this page would lose sight of the window. The window
   * is empty until there is a checkout: a page of the service could be cut off from this page
   * before it, by this page's `Cross-Origin-Opener-Policy`, and could not be led on.
   */
  function openWindow() {
    if (window.crossOriginIsolated) return null;
    const opened = window.open('', '_blank', WINDOW_FEATURES);
    if (!opened || opened.closed) return null;
    guarded(() => sayOneMoment(opened.document));
    return opened;
  }

  function sayOneMoment(page) {
    const heading = page.createElement('h1');
    heading.textContent = page.title = 'One moment';
    const text = page.createElement('p');
    text.textContent =
      'Your payment opens in this window. If nothing happens, close it and try again.';
    page.documentElement.lang = 'en';
    page.body.style.cssText = 'margin: 2rem; font: 1rem/1.5 system-ui, sans-serif';
    const main = page.createElement('main');
    main.append(heading, text);
    page.body.append(main);
  }

  function randomKey() {
    const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)));
    return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  /** The key of this click makes it safe to send it again. */
  async function create(session, count) {
    const { response, json } = await post(session).catch((error) => {
      if (count === TRIES) throw error;
      return {};
    });
    if (response && response.ok) return show(session, json);
    const wrong = (json && json.error && json.error.fields) || {};
    if (wrong.return_url && session.body.return_url) {
      // The payer can pay without being led back, and a window is not left for it.
      console.error('PaymentCheckout: return_url', wrong.return_url);
      delete session.body.return_url;
      return create(session, count);
    }
    if (response && (response.status < 500 || count === TRIES)) return refuse(session, json);
    await wait(count * SECOND);
    return create(session, count + 1);
  }

  async function post({ options, body, idempotencyKey }) {
    const response = await fetch(`${service}/v1/charges`, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        Authorization: `Bearer ${options.key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify(body),
    });
    return { response, json: await response.json() };
  }

  function wait(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  function refuse(session, { error = unreachable(new Error('it is unavailable')) }) {
    if (session.window) session.window.close();
    end(session, 'onFailure', { error });
  }

  function show(session, { id, reference, checkout_url: url }) {
    Object.assign(session, { checkout: id, reference, url, origin: new URL(url).origin });
    if (!session.window) {
      sessions.delete(session);
      location.assign(url);
    } else if (session.window.closed) {
      end(session, 'onClose', { reference });
    } else {
      session.window.location.replace(url);
      watch(session);
    }
  }

  /** Asks for the outcome once the window is closed, or was cut off from this page. */
  function watch(session) {
    const timer = setInterval(() => {
      if (sessions.has(session) && !session.window.closed) return;
      clearInterval(timer);
      if (sessions.has(session)) ask(session, Date.now());
    }, SECOND / 2);
  }

  async function ask(session, closedAt) {
    const { status, retrying } = await stateOf(session).catch(() => ({}));
    const outcome = outcomes[status];
    if (outcome) return finish(session, outcome);
    const elapsed = Date.now() - closedAt;
    if (elapsed >= GRACE && !session.isClosed) {
      session.isClosed = true;
      session.hasFailed = retrying;
      if (retrying) call(session.options, 'onFailure', failureOf(session));
      else call(session.options, 'onClose', { reference: session.reference });
    }
    if (elapsed >= WATCH) return void sessions.delete(session);
    setTimeout(() => sessions.has(session) && ask(session, closedAt), pause(elapsed));
  }

  function pause(elapsed) {
    if (elapsed < GRACE) return SECOND;
    return elapsed < 60 * SECOND ? 3 * SECOND : 15 * SECOND;
  }

  const outcomes = { done: 'success', refunded: 'success', failed: 'failed', expired: 'failed' };

  async function stateOf({ url }) {
    const response = await fetch(`${url}/status`, { credentials: 'omit' });
    return response.json();
  }

  /** Only the window of a checkout reports its outcome. */
  function receive({ data, origin, source }) {
    if (!data || data.type !== TYPE) return;
    for (const session of sessions) {
      const isItsWindow = source !== null && source === session.window;
      if (!isItsWindow || origin !== session.origin || data.checkout !== session.checkout) continue;
      if (data.status !== 'success' && data.status !== 'failed') continue;
      finish(session, data.status);
      source.postMessage({ type: TYPE, checkout: session.checkout, received: true }, origin);
    }
  }

  function finish(session, status) {
    const { reference, checkout } = session;
    if (status === 'success') end(session, 'onSuccess', { reference, checkout });
    else if (session.hasFailed) sessions.delete(session);
    else end(session, 'onFailure', failureOf(session));
  }

  function failureOf({ reference }) {
    return { reference, status: 'failed' };
  }

  /** Tells the page of the end, once. */
  function end(session, name, detail) {
    if (sessions.delete(session)) call(session.options, name, detail);
  }

  function call(options, name, detail) {
    if (typeof options[name] === 'function') guarded(() => options[name](detail));
  }

  /** `<button data-payment-checkout …>`, or a form whose fields give what its attributes do not. */
  function openByElement(event, kind) {
    const start = event.target;
    const element = start.closest && start.closest(`[data-${TYPE}]`);
    if (!element || (element.localName === 'form') !== (kind === 'form')) return;
    event.preventDefault();
    openCheckout({ ...fieldsOf(element), ...callbacksOf(element) });
  }

  function fieldsOf(element) {
    const { key, amountKobo, returnUrl, ...data } = element.dataset;
    const typed = element.localName === 'form' ? new FormData(element) : new Map();
    const fields = { key: key || typed.get('key'), provider: data.provider };
    if (returnUrl) fields.return_url = new URL(returnUrl, document.baseURI).href;
    for (const field of FIELDS) fields[field] = data[field] || typed.get(field);
    fields.amount_kobo = Number(amountKobo || typed.get('amount_kobo'));
    if (fields.metadata) fields.metadata = JSON.parse(fields.metadata);
    return fields;
  }

  function callbacksOf(element) {
    const { returnUrl } = element.dataset;
    const tell = (detail) =>
      element.dispatchEvent(new CustomEvent(TYPE, { bubbles: true, detail }));
    return {
      onSuccess: ({ reference, checkout }) => {
        tell({ status: 'success', reference, checkout });
        if (returnUrl) location.assign(returnAddress(returnUrl, reference));
      },
      onFailure: (failure) => tell({ status: 'failed', ...failure }),
      onClose: ({ reference }) => tell({ status: 'closed', reference }),
    };
  }

  function returnAddress(returnUrl, reference) {
    const url = new URL(returnUrl, document.baseURI);
    url.searchParams.set('reference', reference);
    url.searchParams.set('status', 'succeeded');
    return url.href;
  }
})();
