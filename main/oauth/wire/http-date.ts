const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const httpDate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** Milliseconds since 1970 of an IMF-fixdate (RFC 9110 section 5.6.7). */
export function parseHttpDate(text: string): number | undefined {
  const match = httpDate.exec(text);
  if (match === null) return undefined;
  const [day, year, hour, minute, second] = [match[1], match[3], match[4], match[5], match[6]].map(Number);
  const month = months.indexOf(match[2] ?? '') + 1;
  if (month === 0 || day === undefined || year === undefined) return undefined;
  return (((daysSince1970(year, month, day) * 24 + (hour ?? 0)) * 60 + (minute ?? 0)) * 60 + (second ?? 0)) * 1000;
}

/** Days from 1970-01-01 in the Gregorian calendar, counting years from March so that a leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}
