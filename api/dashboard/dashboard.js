// Runs in the head: the theme is set before anything is drawn.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => {
  document.documentElement.dataset.bsTheme = dark.matches ? 'dark' : 'light';
};
setTheme();
dark.addEventListener('change', setTheme);

// Copy buttons copy what they name, and say so.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]');
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const label = button.getAttribute('aria-label');
  button.setAttribute('aria-label', 'Copied');
  button.classList.add('copied');
  setTimeout(() => {
    button.setAttribute('aria-label', label);
    button.classList.remove('copied');
  }, 2000);
});

// What asks first opens over its page, and leads back there.
document.addEventListener('htmx:after:swap', ({ detail: { ctx } }) => {
  if (ctx.target.matches('dialog')) ctx.target.showModal();
});
document.addEventListener('click', (event) => {
  const dialog = event.target.closest('dialog a')?.closest('dialog');
  if (!dialog) return;
  event.preventDefault();
  dialog.close();
});

// A form is sent once, however often its button is pressed.
const sent = new Set();
document.addEventListener('submit', (event) => {
  if (event.target.method !== 'post') return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
addEventListener('pageshow', () => sent.clear());

// Where the style sheet cannot show the closed navigation on wide screens, it is opened.
document.addEventListener('DOMContentLoaded', () => {
  if (!CSS.supports('selector(::details-content)') && matchMedia('(min-width: 62rem)').matches)
    document.querySelector('.navigation')?.setAttribute('open', '');
});

// A form that is refused is submitted as without this script, so that the page says why.
document.addEventListener('htmx:response:error', (event) => {
  if (event.target.matches('form')) event.target.submit();
});
