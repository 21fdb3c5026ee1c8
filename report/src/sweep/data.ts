// The JSON of a sweep, and its rows by the names of their columns.

export type Cell = number|string|null;

export interface SweepReport {
  schema: number;
  kind: "sweep";
  name: string;
  command: string|null;
  settings: string[];
  market: boolean;
  variants: string[];
  columns: string[];
  rows: Cell[][];
  commands: string[];
}

// One variant in one setting and market.
export class Row {
  readonly label: string;
  readonly group: string;

  constructor(
      readonly cells: Record<string, Cell>, readonly command: string|undefined, settings: string[],
      variants: string[]) {
    this.label = variants.map(name => this.text(name)).join(" ") || "the only variant";
    this.group = settings.map(name => this.text(name)).join(", ") || "all runs";
  }

  number(column: string): number|undefined {
    const cell = this.cells[column];
    return typeof cell === "number" ? cell : undefined;
  }
  text(column: string): string {
    const cell = this.cells[column] ?? "";
    return typeof cell === "number" ? short(cell) : cell;
  }
}

export class Sweep {
  readonly rows: Row[];
  // Columns that tell rows apart.
  readonly keys: string[];

  constructor(readonly report: SweepReport) {
    const {columns, rows, settings, market, variants, commands} = report;
    const several = (name: string) => {
      const at = columns.indexOf(name);
      return new Set(rows.map(row => row[at])).size > 1;
    };
    const groups = [...settings, ...(market ? ["market"] : [])].filter(several);
    const apart = variants.filter(several);
    this.keys = [...groups, ...apart];
    this.rows = rows.map((row, i) => {
      const cells = Object.fromEntries(columns.map((name, at) => [name, row[at]]));
      return new Row(cells, commands[i] || undefined, groups, apart.length ? apart : variants);
    });
  }

  groups(): string[] {
    return [...new Set(this.rows.map(row => row.group))];
  }
}

export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(1) : value.toPrecision(4);
}

// "30m(1m)" or "1h30m" in hours; undefined for a policy that is no interval.
export function hours(text: string): number|undefined {
  const found = /^((?:\d+(?:\.\d+)?(?:h|m|s|d))+)(?:\(.*)?$/.exec(text);
  if (!found) return undefined;
  const units: Record<string, number> = {d: 24, h: 1, m: 1 / 60, s: 1 / 3600};
  return [...found[1].matchAll(/(\d+(?:\.\d+)?)(d|h|m|s)/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * units[unit], 0);
}
