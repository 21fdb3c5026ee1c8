// The note beside the pointer or the focus: what happened, when, and the lines of the log.
import {html} from "./dom";

const LONGEST = 700;  // characters of a line

export interface Note {
  title: string;
  text: string[];
  lines: number[];
  command?: string;  // that shows the subject again
}

export class Tip {
  private readonly box = html("div", {id: "tip", role: "tooltip", hidden: true});

  constructor(private readonly lines: Record<string, string>) {
    document.body.append(this.box);
    window.addEventListener("scroll", () => this.hide(), {passive: true});
    window.addEventListener("keydown", event => {
      if (event.key === "Escape") this.hide();
    });
  }

  show(note: Note, x: number, y: number): void {
    this.box.replaceChildren(
        html("strong", {}, note.title), ...note.text.map(text => html("div", {}, text)),
        ...note.lines.map(line => this.line(line)));
    this.box.hidden = false;
    const {width, height} = this.box.getBoundingClientRect();
    const below = y + 18 + height < innerHeight;
    this.box.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 4))}px`;
    this.box.style.top = `${Math.max(4, below ? y + 18 : y - height - 10)}px`;
  }
  hide(): void {
    this.box.hidden = true;
  }
  // Called when another page replaces this one.
  remove(): void {
    this.box.remove();
  }
  line(number: number): HTMLElement {
    const text = this.lines[number] ?? "";
    return html(
        "pre", {}, html("b", {}, `line ${number} `),
        text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text);
  }
}

// Calls `show` in the next frame. The browser may first scroll a focused element into view, which
// hides the note.
export function afterScrolling(show: () => void): void {
  requestAnimationFrame(show);
}
