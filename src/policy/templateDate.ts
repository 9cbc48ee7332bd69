/** The date that a chat template which asks for today's gets: a request's tokens, and so its scores, must not depend on the day. Llama 3's own fallback. */
const today = new Date(Date.UTC(2024, 6, 26));

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const two = (value: number): string => String(value).padStart(2, '0');

const fields: Readonly<Record<string, string>> = {
  '%Y': String(today.getUTCFullYear()),
  '%m': two(today.getUTCMonth() + 1),
  '%d': two(today.getUTCDate()),
  '%B': months[today.getUTCMonth()] ?? '',
  '%b': (months[today.getUTCMonth()] ?? '').slice(0, 3),
  '%A': weekdays[today.getUTCDay()] ?? '',
  '%a': (weekdays[today.getUTCDay()] ?? '').slice(0, 3),
  '%H': '00',
  '%M': '00',
  '%S': '00',
  '%%': '%',
};

/** `strftime_now` of chat templates. */
export function formatTemplateDate(format: unknown): string {
  return String(format).replace(/%./g, (field) => fields[field] ?? field);
}
