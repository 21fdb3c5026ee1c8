// The buttons of a live page, which call the control API.
import {html} from "../dom";

import {control} from "./control";
import {FaultKind, Parameter} from "./data";

const STEPS: [string, object][] = [
  ["next event", {next: true}], ["+1 min", {by: "1m"}], ["+10 min", {by: "10m"}],
  ["+1 h", {by: "1h"}]
];

export function button(
    text: string, label: string, click: () => unknown,
    disabled: boolean = false): HTMLButtonElement {
  return html("button", {type: "button", title: label, "aria-label": label, click, disabled}, text);
}

function input(label: string, more: Record<string, string> = {}): HTMLInputElement {
  return html("input", {type: "text", "aria-label": label, autocomplete: "off", ...more});
}

function group(title: string, ...children: (Node|string)[]): HTMLElement {
  return html("fieldset", {}, html("legend", {}, title), ...children);
}

function toolbar(...children: (Node|string)[]): HTMLElement {
  return html("div", {class: "toolbar"}, ...children);
}

export class Actions {
  readonly element = html("div", {class: "controls"});
  // The result of the last action, also for screen readers.
  readonly said = html("p", {class: "said", role: "status"});
  private readonly pools = html("datalist", {id: "pools"});
  private readonly known = new Set<string>();

  constructor() {
    this.element.append(this.clock(), this.pool(), this.fault());
  }

  // Calls the control API, and shows the result or the reason of a refusal.
  async act(what: string, path: string, body: object): Promise<void> {
    try {
      const answer = await control(path, body);
      const struck = answer.interrupted ? `: ${answer.interrupted.join(", ") || "no instance"}` :
          path === "fault" ? `: ${answer.fault}, struck ${answer.found}` :
                             "";
      this.say(`${what}${struck}`, true);
    } catch (error) {
      this.say(`${what} failed: ${(error as Error).message}`, false);
    }
  }
  say(text: string, good: boolean): void {
    this.said.className = good ? "said" : "said bad";
    this.said.textContent = text;
  }
  addPools(names: string[]): void {
    for (const name of names.filter(one => !this.known.has(one))) {
      this.known.add(name);
      this.pools.append(html("option", {value: name}));
    }
  }

  private clock(): HTMLElement {
    const by = input("advance by", {placeholder: "90s"});
    const advance = (body: object) => this.act("clock", "clock", body);
    return group(
        "Virtual time",
        toolbar(...STEPS.map(
            ([text, body]) => button(text, `advance the clock: ${text}`, () => advance(body)))),
        toolbar(by, button("advance", "advance the clock by this", () => advance({by: by.value}))));
  }

  private pool(): HTMLElement {
    const pool =
        input("pool", {class: "pool", list: "pools", placeholder: "p3.2xlarge/us-west-2b"});
    const slots = input("slots", {placeholder: "0 slots"}),
          price = input("price", {placeholder: "price, $ an hour"});
    const drain = () => this.act(
        "drain", "drain", {pool: pool.value, ...(slots.value ? {slots: Number(slots.value)} : {})});
    const set = () => this.act("price", "price", {pool: pool.value, price: price.value});
    return group(
        "Pool", this.pools, toolbar(pool),
        toolbar(slots, button("drain", "limit the pool to so many spot instances", drain)),
        toolbar(price, button("set price", "set the pool's spot price", set)));
  }

  private fault(): HTMLElement {
    const kinds = html("select", {"aria-label": "kind of fault"});
    const does = html("p", {class: "hint"}), parameters = html("div", {class: "parameters"});
    const catalogue = new Map<string, FaultKind>();
    let fields: [string, HTMLInputElement][] = [];
    const choose = () => {
      const kind = catalogue.get(kinds.value)!;
      does.textContent = kind.does;
      fields = kind.parameters.map(one => [one.name, this.parameter(one)]);
      parameters.replaceChildren(
          ...fields.map(([name, field]) => html("label", {}, `${name} `, field)));
    };
    const inject = () => this.act("fault", "fault", {
      kind: kinds.value,
      ...Object.fromEntries(
          fields.filter(([, field]) => field.value).map(([name, field]) => [name, field.value]))
    });
    kinds.addEventListener("change", choose);
    control("faults")
        .then(({kinds: all}: {kinds: FaultKind[]}) => {
          for (const kind of all) {
            catalogue.set(kind.kind, kind);
            kinds.append(html("option", {value: kind.kind}, kind.kind));
          }
          choose();
        })
        .catch(error => this.say(`kinds of faults: ${error.message}`, false));
    return group(
        "Fault", toolbar(kinds, button("inject", "inject this fault now", inject)), does,
        parameters);
  }

  private parameter({name, default: usual, words, meaning, required}: Parameter): HTMLInputElement {
    const pool: Record<string, string> = name === "pool" ? {list: "pools"} : {};
    return input(name, {
      placeholder: usual || (required ? "required" : words.replace(/ /g, " or ")),
      title: meaning,
      ...pool
    });
  }
}
