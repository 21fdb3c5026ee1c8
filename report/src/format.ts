// Formats numbers and times for readers.

export function duration(seconds: number): string {
  if (seconds < 0.995 && seconds > 0) return `${seconds.toFixed(2)}s`;
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, length] of [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]] as const) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.join("") || "0s";
}

// "38h5m": to the minute from ten minutes on, else to the second.
export function hoursText(hours: number): string {
  const unit = hours >= 1 / 6 ? 60 : 1, seconds = Math.round(hours * 3600 / unit) * unit;
  const whole = Math.floor(seconds / 3600), rest = duration(seconds % 3600);
  return whole ? `${whole}h${rest === "0s" ? "" : rest}` : rest;
}

export function usd(dollars: number): string {
  return `$${dollars.toFixed(Math.abs(dollars) >= 1000 ? 2 : 4)}`;
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

export class Clock {
  private readonly begin: number;
  private days = false;
  constructor(begin: string, seconds: number) {
    this.begin = Date.parse(begin);
    this.extend(seconds);
  }
  // The run has become longer.
  extend(seconds: number): void {
    const last = this.begin + 1000 * seconds;
    this.days = new Date(this.begin).getUTCDate() !== new Date(last).getUTCDate();
  }
  date(at: number): Date {
    return new Date(this.begin + 1000 * at);
  }
  at(iso: string): number {
    return (Date.parse(iso) - this.begin) / 1000;
  }
  // "10:03:18", with the day where the run has several.
  text(at: number): string {
    const iso = this.date(at).toISOString();
    return this.days ? `${iso.slice(5, 10)} ${iso.slice(11, 19)}` : iso.slice(11, 19);
  }
}
