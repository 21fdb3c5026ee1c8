// The range of time that all charts of the page show. The address bar keeps it.
import {ScaleLinear, scaleLinear} from "d3-scale";
import {event, select} from "d3-selection";
import {zoom, zoomIdentity, zoomTransform} from "d3-zoom";

// Converts seconds to pixels, or a value to pixels.
export type Scale = ScaleLinear<number, number>;

const REST = 200;  // ms

export interface Settings {
  hidden: Set<string>;  // kinds of marks
  allPools: boolean;
}

export class View {
  // Converts seconds to pixels of a track.
  readonly scale: Scale = scaleLinear<number, number>();
  readonly settings: Settings = {hidden: new Set(), allPools: false};
  private readonly behaviour = zoom();
  private left = 0;
  private width = 1;
  private waiting = 0;
  private resting = 0;  // the timer that runs while the user moves the view

  // `area` has all tracks. A track begins `left` pixels from its edge.
  constructor(
      private readonly area: HTMLElement, private seconds: number,
      private readonly changed: (isMoving: boolean) => void) {
    this.scale.domain([0, seconds]);
    this.limitZoom();
    // The wheel alone scrolls the page.
    this.behaviour
        .filter(
            () => event.type === "wheel" ? event.ctrlKey || event.metaKey || event.shiftKey :
                                           !event.button)
        .on("zoom", () => this.follow());
    select(area as Element).call(this.behaviour).style("touch-action", "pan-y");
    window.addEventListener("hashchange", () => this.restore());
  }

  resize(left: number, width: number): void {
    const shown = this.scale.domain();
    this.left = left;
    this.width = Math.max(50, width);
    const box: [[number, number], [number, number]] = [[left, 0], [left + this.width, 1]];
    this.behaviour.extent(box).translateExtent(box);
    this.scale.range([0, this.width]);
    this.show(shown[0], shown[1]);
  }

  // The run has become longer. A view that ended at the run's end follows the end.
  extend(seconds: number): void {
    const [from, to] = this.scale.domain(), more = seconds - this.seconds;
    const follows = to >= this.seconds * 0.9999, all = follows && from <= 0;
    this.seconds = seconds;
    this.limitZoom();
    this.show(all ? 0 : follows ? from + more : from, follows ? seconds : to);
  }

  show(from: number, to: number): void {
    const k = this.seconds / Math.max(to - from, this.seconds / this.behaviour.scaleExtent()[1]);
    const x = this.left - k * (this.left + this.width * from / this.seconds);
    this.behaviour.transform(select(this.area as Element), zoomIdentity.translate(x, 0).scale(k));
  }
  zoomBy(factor: number): void {
    this.behaviour.scaleBy(select(this.area as Element), factor);
  }
  panBy(share: number): void {
    const k = zoomTransform(this.area).k;
    this.behaviour.translateBy(select(this.area as Element), -share * this.width / k, 0);
  }
  all(): void {
    this.show(0, this.seconds);
  }

  // Restores the range from the address bar. Without a range there, it shows the whole run.
  restore(): void {
    const words = new URLSearchParams(location.hash.slice(1));
    const [from, to] = [Number(words.get("from") ?? 0), Number(words.get("to") ?? this.seconds)];
    const usable = from >= 0 && to > from && to <= this.seconds * 1.001;
    this.settings.hidden = new Set((words.get("hide") ?? "").split(",").filter(word => word));
    this.settings.allPools = words.get("pools") === "all";
    this.show(usable ? from : 0, usable ? Math.min(to, this.seconds) : this.seconds);
  }
  remember(): void {
    const words: string[] = [], [from, to] = this.scale.domain();
    if (to - from < this.seconds * 0.9999)
      words.push(`from=${from.toFixed(2)}`, `to=${to.toFixed(2)}`);
    if (this.settings.hidden.size) words.push(`hide=${[...this.settings.hidden].join(",")}`);
    if (this.settings.allPools) words.push("pools=all");
    const hash = words.length ? `#${words.join("&")}` : "";
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname);
  }
  // Draws once for all changes, before the next picture on the screen.
  refresh(): void {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.changed(this.resting > 0);
      this.remember();
    });
  }

  private limitZoom(): void {
    this.behaviour.scaleExtent([1, Math.max(2, this.seconds * 20)]);
  }

  private follow(): void {
    const {k, x} = zoomTransform(this.area);
    const second = (pixel: number) => ((pixel - x) / k - this.left) / this.width * this.seconds;
    this.scale.domain(
        [Math.max(0, second(this.left)), Math.min(this.seconds, second(this.left + this.width))]);
    if (event?.sourceEvent) this.rest();
    this.refresh();
  }
  // Draws once more after the user has stopped moving the view.
  private rest(): void {
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      this.resting = 0;
      this.refresh();
    }, REST);
  }
}
