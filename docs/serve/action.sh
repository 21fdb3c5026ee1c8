#!/bin/bash
# What the GitHub Action does, ../../action.yml: runs scenarios and explorations, writes a summary in Markdown to
# $GITHUB_STEP_SUMMARY, and annotates failures with ::error. Exits with the worst status.
#   SPOTSIM_SCENARIOS, SPOTSIM_EXPLORE               patterns of scenario files, one a line
#   SPOTSIM_OPTIONS, SPOTSIM_EXPLORE_OPTIONS         options of all commands, and of explorations
#   SPOTSIM_OUT                                      folder of the results
set -uo pipefail
shopt -s globstar nullglob
out=${SPOTSIM_OUT:-spotsim-results}
summary=${GITHUB_STEP_SUMMARY:-/dev/stdout}
worst=0
read -ra options <<<"${SPOTSIM_OPTIONS-}"
read -ra explore_options <<<"${SPOTSIM_EXPLORE_OPTIONS-}"

# The text of an annotation: GitHub reads % and newlines as its own.
escaped() {
  local text=$1
  text=${text//'%'/%25} text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

# error FILE LINE TITLE TEXT
error() { printf '::error file=%s,line=%s,title=%s::%s\n' "$1" "$2" "$3" "$(escaped "$4")"; }

# The line of a key in a file; 1 if it is not there.
line_of() {
  local line
  line=$(grep -nm1 -E "^ *[{]?$2:" "$1" | cut -d: -f1)
  echo "${line:-1}"
}

# Annotates a failed command's messages: those of a reader have their own file and line.
annotate() {
  local file=$1 log=$2 kind=$3 message
  while IFS= read -r message; do
    if [[ $message =~ ^(spotsim:\ )?([^:\ ]+\.yaml):([0-9]+):[0-9]+:\ (.*) ]]; then
      error "${BASH_REMATCH[2]}" "${BASH_REMATCH[3]}" "$kind" "${BASH_REMATCH[4]}"
    elif [[ $message == "spotsim: FAILED: "* ]]; then
      message=${message#spotsim: FAILED: }
      error "$file" "$(line_of "$file" "${message%%:*}")" "$kind" "$message"
    fi
  done <"$log"
}

# Annotates each plan of faults that an exploration found to break the job.
annotate_plans() {
  local file=$1 plan invariant
  shift
  for plan; do
    invariant=$(basename "$plan" .yaml)
    error "$file" "$(line_of "$file" expect)" "spotsim explore" \
      "faults break ${invariant#*-}; replay with: spotsim run $plan"
  done
}

# try COMMAND FILE: one scenario, and its row of the summary.
try() {
  local command=$1 file=$2 name status result=''
  name=$(basename "$file" .yaml)
  local folder=$out/$command-$name log=$out/$command-$name.log
  shift 2
  echo "::group::spotsim $command $file"
  spotsim "$command" "$file" --out "$folder" "${options[@]}" "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  echo "::endgroup::"
  ((status <= worst)) || worst=$status
  local plans=("$folder"/failing/*.yaml) mark=✅
  local wrong='^spotsim: FAILED: |\.yaml:[0-9]+:[0-9]+: '
  if ((status)); then
    mark=❌
    annotate "$file" "$log" "spotsim $command"
    annotate_plans "$file" "${plans[@]}"
    result=$(grep -m1 -E "$wrong" "$log")
  elif [[ $command == run ]]; then
    result=$(grep -E "^spotsim: $name: " "$log" | tail -n 1)
  fi
  [[ $command != explore ]] || result="${#plans[@]} failing plans. $(grep -m1 " runs with " "$log")"
  result=${result#spotsim: } result=${result#FAILED: }
  echo "| $mark | \`$file\` | $command | ${result//|/\\|} |" >>"$summary"
  [[ ! -e $folder ]] || spotsim report "$folder" >/dev/null 2>&1 || true
}

# all COMMAND PATTERNS OPTION…
all() {
  local command=$1 patterns=$2 pattern file found
  shift 2
  while IFS= read -r pattern; do
    [[ -n $pattern ]] || continue
    found=0
    for file in $pattern; do
      found=1
      [[ -e $file ]] || { found=0; continue; }
      try "$command" "$file" "$@"
    done
    if ((!found)); then
      error "$pattern" 1 "spotsim $command" "found no file $pattern"
      worst=2
    fi
  done <<<"$patterns"
}

mkdir -p "$out"
printf '## spotsim\n\n| | scenario | command | result |\n|---|---|---|---|\n' >>"$summary"
all run "${SPOTSIM_SCENARIOS-}"
all explore "${SPOTSIM_EXPLORE-}" "${explore_options[@]}"
exit "$worst"
