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
  commands_begin?: string;  // of each command
  commands: string[];
}

// One variant in one setting and market.
export class Row {
  readonly label: string;
  readonly group: string;

  // `places` has the index of each column in the cells.
  constructor(
      private readonly places: Map<string, number>, private readonly cells: Cell[],
      readonly command: string|undefined, settings: string[], variants: string[]) {
    this.label = variants.map(name => this.text(name)).join(" ") || "the only variant";
    this.group = settings.map(name => this.text(name)).join(", ") || "all runs";
  }

  cell(column: string): Cell {
    const place = this.places.get(column);
    return place === undefined ? null : this.cells[place];
  }
  number(column: string): number|undefined {
    const cell = this.cell(column);
    return typeof cell === "number" ? cell : undefined;
  }
  text(column: string): string {
    const cell = this.cell(column) ?? "";
    return typeof cell === "number" ? short(cell) : cell;
  }
}

export class Sweep {
  readonly rows: Row[];
  // Columns that distinguish rows.
  readonly keys: string[];

  constructor(readonly report: SweepReport) {
    const {columns, rows, settings, market, variants, commands, commands_begin} = report;
    const places = new Map(columns.map((name, at) => [name, at]));
    const several = (name: string) => {
      const at = places.get(name)!;
      return rows.some(row => row[at] !== rows[0][at]);
    };
    const groups = [...settings, ...(market ? ["market"] : [])].filter(several);
    const apart = variants.filter(several);
    this.keys = [...groups, ...apart];
    this.rows = rows.map(
        (row, i) => new Row(
            places, row, commands[i] ? (commands_begin ?? "") + commands[i] : undefined, groups,
            apart.length ? apart : variants));
  }

  groups(): string[] {
    return [...new Set(this.rows.map(row => row.group))];
  }
}

export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(1) : value.toPrecision(4);
}

// "30m(1m)", "1h30m" or "time:30m" in hours; undefined for a policy that is no interval.
export function hours(text: string): number|undefined {
  const found = /^(?:time:)?((?:\d+(?:\.\d+)?(?:h|m|s|d))+)(?:\(.*)?$/.exec(text);
  if (!found) return undefined;
  const units: Record<string, number> = {d: 24, h: 1, m: 1 / 60, s: 1 / 3600};
  return [...found[1].matchAll(/(\d+(?:\.\d+)?)(d|h|m|s)/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * units[unit], 0);
}
