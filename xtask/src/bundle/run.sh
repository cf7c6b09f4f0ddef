#!/usr/bin/env bash
# Runs what is in this bundle on this machine's GPU, and writes down how it went. README.md says more.
set -u
export LC_ALL=C

usage() {
    cat <<'END'
usage: run.sh [--quick] [--out FOLDER] [--only WORD] [--limit SECONDS] [--total SECONDS]

  --quick          small sizes, one round of each bench: to see that everything runs; times mean nothing
  --out FOLDER     where to write results.json, table.md and logs; by default `results` beside this script
  --only WORD      only the parts whose names contain it
  --limit SECONDS  the most that one part may take; by default 120
  --total SECONDS  what is not begun by then is not run; by default 480

Ends with 0 if nothing failed, 1 if something did, 2 if it can't begin.
END
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 2
out=$here/results quick= only= limit=120 total=480
while (($#)); do
    case $1 in
        --quick) quick=--quick ;;
        --help | -h) usage && exit 0 ;;
        --out | --only | --limit | --total)
            if (($# < 2)); then usage >&2 && exit 2; fi
            case $1 in
                --out) out=$2 ;;
                --only) only=$2 ;;
                *) if ! [[ $2 =~ ^[1-9][0-9]*$ ]]; then usage >&2 && exit 2; fi ;;&
                --limit) limit=$2 ;;
                --total) total=$2 ;;
            esac
            shift
            ;;
        *) usage >&2 && exit 2 ;;
    esac
    shift
done
for tool in awk cat date grep mkdir mktemp rm sed tail timeout uname; do
    if ! command -v "$tool" >/dev/null; then echo "error: there is no $tool" >&2 && exit 2; fi
done
mkdir -p "$out/logs" || exit 2
out=$(cd "$out" && pwd) || exit 2
rm -f "$out/results.json" "$out/table.md" "$out/gpu.json" "$out/logs/"*.txt
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
: >"$work/parts" && : >"$work/facts" || exit 2

# Everything runs on the GPU, and its absence is a failure. The last line that a program says is its error.
export GRIDWRIGHT_DEVICE=cuda:0 GRIDWRIGHT_REQUIRE_CUDA=1 RUST_BACKTRACE=0

# --- What is written down -------------------------------------------------------------------------------------------

fact() { # name, value
    printf '%s\t%s\n' "$1" "${2//$'\t'/ }" >>"$work/facts"
    printf '%-18s %s\n' "$1" "$2"
}

record() { # name, state, seconds, exit status or -, what there is to say
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5//$'\t'/ }" >>"$work/parts"
    printf '%-32s %-9s %7s s  %s\n' "$1" "$2" "$3" "$5"
}

is_wanted() { # name
    [[ -z $only || $1 == *"$only"* ]]
}

absent() { # name, why
    if is_wanted "$1"; then record "$1" absent 0 - "$2"; fi
}

# The last line of a log that isn't empty, or what a test harness and a bench count.
said() { # log, exit status
    awk -v status="$2" '
        /^test result: / { sub(/; finished in .*/, ""); result = substr($0, 14) }
        /^test .* FAILED$/ { failed = failed " " $2 }
        /SKIPPED/ { skipped = $0 }
        /^SHORT: / { short++ }
        NF { last = $0 }
        END {
            text = status == 0 ? result : (failed ? "failed:" failed : last)
            if (skipped) text = text (text ? "; " : "") skipped
            if (short) text = text (text ? "; " : "") short " rows fall short"
            print text
        }' "$1"
}

# Runs a command within its time, its output in a log. `failure` is what its failing is called: a test's is `failed`.
failure=failed
part() { # name, command
    local name=$1 left=$((total - SECONDS)) most=$limit status=0 state=passed start log text
    shift
    is_wanted "$name" || return 0
    if ((left <= 0)); then
        record "$name" "not run" 0 - "the $total s of the whole run were used up"
        return 1
    fi
    ((most <= left)) || most=$left
    log=$out/logs/${name//\//.}.txt
    start=${EPOCHREALTIME:-$SECONDS}
    (cd "$work" && exec timeout -k 5 "$most" "$@") >"$log" 2>&1 </dev/null || status=$?
    text=$(said "$log" "$status")
    case $status in
        0) ;;
        124 | 137) state="timed out" text="ended after $most s: $text" ;;
        *) state=$failure ;;
    esac
    record "$name" "$state" "$(awk -v a="$start" -v b="${EPOCHREALTIME:-$SECONDS}" 'BEGIN { printf "%.1f", b - a }')" \
        "$status" "$text"
    return "$status"
}

# The first line of a log, or of what a command says, that has a word in it.
line_with() { # word
    awk -v word="$1" 'index($0, word) { print; exit }'
}

# --- (1) The machine ------------------------------------------------------------------------------------------------

fact date "$(date -u +%Y-%m-%d)"
fact system "$(uname -srm)"
fact glibc "$(getconf GNU_LIBC_VERSION 2>/dev/null || echo unknown)"
fact cpu "$(awk -F': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)"
if command -v nvidia-smi >/dev/null; then
    query=name,driver_version,memory.total,clocks.max.sm,clocks.max.memory,power.limit
    fact nvidia-smi "$(timeout 20 nvidia-smi --query-gpu=$query --format=csv,noheader 2>&1 | line_with ,)"
else
    fact nvidia-smi "ABSENT: no nvidia-smi on the path"
fi
# A program on the path, or where CUDA's toolkit is usually.
tool() { # name
    local file
    for file in "$(command -v "$1")" "/usr/local/cuda/bin/$1" "/usr/local/cuda/$1/$1"; do
        if [[ -f $file && -x $file ]]; then echo "$file" && return; fi
    done
}
nvcc=$(tool nvcc) sanitizer=$(tool compute-sanitizer)
fact nvcc "$([[ -n $nvcc ]] && "$nvcc" --version 2>&1 | line_with release || echo "ABSENT: no nvcc on the path")"
fact compute-sanitizer "$([[ -n $sanitizer ]] && "$sanitizer" --version 2>&1 | line_with ersion ||
    echo "ABSENT: no compute-sanitizer on the path")"

# Some ways to copy folders lose this.
[[ -x $here/bin/benches/gpu ]] || chmod -R +x "$here/bin"
gpu_facts() {
    timeout 60 "$here/bin/benches/gpu" --facts >"$work/gpu" 2>&1
    grep -q '^architecture: ' "$work/gpu"
}
if ! gpu_facts; then
    # Some containers have the driver where the loader doesn't look.
    for folder in /usr/local/nvidia/lib64 /usr/lib/wsl/lib; do
        if [[ -e $folder/libcuda.so.1 ]]; then
            export LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
            gpu_facts && break
        fi
    done
fi
if ! grep -q '^architecture: ' "$work/gpu"; then fact device "ABSENT: $(tail -n 1 "$work/gpu")"; fi
while IFS= read -r line; do
    case $line in *": "*) fact "${line%%: *}" "${line#*: }" ;; esac
done < <(sed -n '/^device: /,$p' "$work/gpu")
architecture=$(sed -n 's/^architecture: //p' "$work/gpu")
is_emulated=$(sed -n 's/^emulated: //p' "$work/gpu")
if [[ $is_emulated == yes ]]; then echo "EMULATION: there is no hardware, and times mean nothing"; fi

# --- (2) The examples, which check their own results ----------------------------------------------------------------

# What makes an example small.
small() { # name
    awk -v name="$1" '$1 == name { $1 = ""; print }' "$here/small.txt"
}

example() { # name of the part, name of the example, 1 if small, what runs it
    local part=$1 name=$2 is_small=$3 arguments=()
    shift 3
    if [[ -n $is_small ]]; then read -ra arguments <<<"$(small "$name")"; fi
    if [[ $name == sobel ]]; then arguments=("$here/images/chelsea.png"); fi
    part "$part" "$@" "$here/bin/examples/$name" ${arguments[@]+"${arguments[@]}"}
}

for program in "$here"/bin/examples/*; do
    example "example/${program##*/}" "${program##*/}" "$quick"
done

# --- (3) The tests of the CUDA backend and of what a device must do -------------------------------------------------

for program in "$here"/bin/tests/*; do
    part "test/${program##*/}" "$program"
done

# What compilers make of kernels: an emulated driver would only be slow.
if [[ -z $quick ]]; then
    for program in "$here"/bin/compiled/*; do
        part "compiled/${program##*/}" "$program"
    done
fi

# --- (4) The benches ------------------------------------------------------------------------------------------------

references=(--reference "$here/reference/kernels.fatbin" --reference "$here/reference/kernels.ptx")
if [[ -z $nvcc ]]; then
    absent reference/nvcc "no nvcc: the kernels that were compiled for the bundle are raced"
elif [[ -z $architecture ]]; then
    absent reference/nvcc "no device to compile for"
else
    # An nvcc that is too old for the device isn't our failure.
    failure=absent
    if part reference/nvcc "$nvcc" -O3 -cubin "-arch=$architecture" -o nvcc-here.cubin "$here/reference/reference.cu"; then
        references=(--reference nvcc-here.cubin "${references[@]}")
    fi
    failure=failed
fi
part bench/gpu "$here/bin/benches/gpu" $quick "${references[@]}" --json "$out/gpu.json"
part bench/launch_cost "$here/bin/benches/launch_cost" $quick
# CUB's runtime needs NVIDIA's own driver.
cub=(--cub "$here/reference/libcub.so")
if [[ $is_emulated == yes ]]; then cub=(); fi
part bench/primitives_gpu "$here/bin/benches/primitives_gpu" $quick ${cub[@]+"${cub[@]}"}

# --- (5) The examples again, under NVIDIA's checker -----------------------------------------------------------------

for check in memcheck racecheck synccheck initcheck; do
    if [[ -z $sanitizer ]]; then
        absent "$check" "no compute-sanitizer: NOTHING was checked"
        continue
    fi
    for program in "$here"/bin/examples/*; do
        name=$check/${program##*/}
        example "$name" "${program##*/}" 1 "$sanitizer" --tool "$check" --error-exitcode 97
        # It doesn't know some devices and some virtual machines.
        if grep -q "Device not supported" "$out/logs/${name//\//.}.txt" 2>/dev/null; then
            echo "compute-sanitizer doesn't support this device: nothing more is checked"
            sed -i '$ s/^\([^\t]*\)\t[^\t]*\t\(.*\)$/\1\tabsent\t\2/' "$work/parts"
            sanitizer=
            break
        fi
    done
done

# --- (6) Results ----------------------------------------------------------------------------------------------------

count() { # state
    awk -F '\t' -v state="$1" '$2 == state { n++ } END { print n + 0 }' "$work/parts"
}
passed=$(count passed) absences=$(count absent)
failed=$(($(count failed) + $(count "timed out") + $(count "not run")))
if ! [[ -s $work/parts ]]; then echo "error: no part has such a name" >&2 && exit 2; fi

is_written=yes
json='
    function quoted(text) {
        gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); gsub(/[\001-\037\177]/, " ", text)
        return "\"" text "\""
    }'
{
    echo '{'
    echo '  "facts": {'
    awk -F '\t' "$json"'{ printf "%s    %s: %s", (NR > 1 ? ",\n" : ""), quoted($1), quoted($2) }' "$work/facts" ||
        is_written=
    printf '\n  },\n  "is_emulated": %s,\n' "$([[ $is_emulated == yes ]] && echo true || echo false)"
    printf '  "quick": %s,\n  "bundle": ' "$([[ -n $quick ]] && echo true || echo false)"
    cat "$here/bundle.json" || is_written=
    echo '  ,"parts": ['
    awk -F '\t' "$json"'{
        printf "%s    {\"name\": %s, \"state\": %s, \"seconds\": %s, \"exit\": %s, \"detail\": %s}", (NR > 1 ? ",\n" : ""),
            quoted($1), quoted($2), $3, ($4 == "-" ? "null" : $4), quoted($5)
    }' "$work/parts" || is_written=
    printf '\n  ],\n  "passed": %d,\n  "failed": %d,\n  "absent": %d,\n  "gpu": ' "$passed" "$failed" "$absences"
    cat "$out/gpu.json" 2>/dev/null || echo null
    echo '}'
} >"$out/results.json" || is_written=
{
    echo "# Gridwright on $(sed -n 's/^device: //p' "$work/gpu")"
    echo
    if [[ $is_emulated == yes ]]; then printf '**An emulation: there is no hardware, and times mean nothing.**\n\n'; fi
    if [[ -n $quick ]]; then printf '**A quick run: nothing was measured.**\n\n'; fi
    echo "$passed passed, $failed failed, $absences absent."
    printf '\n| fact | |\n|---|---|\n'
    awk -F '\t' '{ gsub(/\|/, "\\|"); printf "| %s | %s |\n", $1, $2 }' "$work/facts"
    printf '\n| part | result | seconds | |\n|---|---|---:|---|\n'
    awk -F '\t' '{ gsub(/\|/, "\\|"); printf "| `%s` | %s | %s | %s |\n", $1, ($2 == "passed" ? $2 : "**" $2 "**"), $3, $5 }' \
        "$work/parts"
    for log in "$out"/logs/bench.*.txt; do
        [[ -e $log ]] || continue
        printf '\n```text\n' && cat "$log" && printf '```\n'
    done
} >"$out/table.md" || is_written=

echo
echo "$passed passed, $failed failed, $absences absent; $out/table.md, $out/results.json"
if [[ -z $is_written ]]; then echo "error: the results couldn't be written" >&2 && exit 2; fi
((failed == 0))
