// The page of a report: reads the data beside this script, and shows it.
import {AdviceReport} from "./advice/data";
import {AdvicePage} from "./advice/page";
import {Report} from "./data";
import {html} from "./dom";
import {ExploreReport} from "./explore/data";
import {ExplorePage} from "./explore/page";
import {attempts, background, heading, ledgers, verdicts} from "./facts";
import {Clock} from "./format";
import {SweepReport} from "./sweep/data";
import {SweepPage} from "./sweep/page";
import {Timeline} from "./timeline";
import {Tip} from "./tip";
import {TracePage, TraceReport} from "./trace/page";

function showRun(report: Report, main: HTMLElement): void {
  const clock = new Clock(report.time.begin, report.time.seconds);
  const tip = new Tip(report.lines);
  const timeline = new Timeline(report, clock, tip);
  document.title = `${report.result.scenario}: ${report.result.outcome} – spotsim`;
  main.append(
      heading(report), timeline.section, ledgers(report), attempts(report, clock),
      html("div", {class: "columns"}, ...verdicts(report, tip)),
      html("div", {class: "columns"}, ...background(report)));
  timeline.start();
}

const report: Report|SweepReport|ExploreReport|AdviceReport|TraceReport =
    JSON.parse(document.getElementById("data")!.textContent!);
const main = document.getElementById("report")!;
if (report.kind === "run")
  showRun(report, main);
else if (report.kind === "explore")
  new ExplorePage(report, main).start();
else if (report.kind === "advice")
  new AdvicePage(report, main).start();
else if (report.kind === "trace")
  new TracePage(report, main).start();
else
  new SweepPage(report, main).start();
