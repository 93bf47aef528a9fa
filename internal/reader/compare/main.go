// Command compare prints how many pairs a second and core the reader scores beside onnxruntime with int8 weights and
// hugot's pure Go backend, all with the same model on the same texts, in one run and in turns. It is a module of its
// own, so that the program does not depend on what it is compared with. onnxruntime_side.py makes the folder that -onnx
// names:
//
//	go run . -weights reader.bin -onnx FOLDER -python PYTHON
//
// What is counted is processor time, since machines that are shared have no other measure.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/knights-analytics/hugot"

	"sanad/internal/reader"
)

// words is how many words of one token each the text has; with the marks of the model, hugot and onnxruntime see 125.
const words = 123

var (
	weights = flag.String("weights", "", "file of weights of the reader")
	onnx    = flag.String("onnx", "", "folder that onnxruntime_side.py made")
	python  = flag.String("python", "python3", "Python that has onnxruntime")
	rounds  = flag.Int("rounds", 3, "turns of each")
	seconds = flag.Float64("seconds", 3, "processor time of a turn")
	only    = flag.String("only", "", "measure this one and print its pairs a second")
)

func main() {
	flag.Parse()
	log.SetFlags(0)
	if *only != "" {
		fmt.Println(measure(*only))
		return
	}
	type contender struct {
		name    string
		command []string
		setting string
		speeds  []float64
	}
	self, err := os.Executable()
	check(err)
	ours := []string{self, "-weights", *weights, "-onnx", *onnx, "-seconds", fmt.Sprint(*seconds), "-only"}
	contenders := []*contender{
		{name: "reader, fastest kernel", command: append(slices.Clone(ours), "reader")},
		{name: "reader, AVX2", command: append(slices.Clone(ours), "reader"), setting: "GODEBUG=cpu.avx512f=off"},
		{name: "onnxruntime, int8", command: []string{*python, "onnxruntime_side.py", "time", *onnx, fmt.Sprint(words), fmt.Sprint(*seconds)}},
		{name: "hugot, pure Go", command: append(slices.Clone(ours), "hugot")},
	}
	for range *rounds {
		for _, c := range contenders {
			command := exec.Command(c.command[0], c.command[1:]...)
			command.Env = append(os.Environ(), "GOMAXPROCS=1", c.setting)
			command.Stderr = os.Stderr
			out, err := command.Output()
			check(err)
			speed, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
			check(err)
			c.speeds = append(c.speeds, speed)
		}
	}
	median := func(c *contender) float64 { slices.Sort(c.speeds); return c.speeds[len(c.speeds)/2] }
	fmt.Printf("%-24s %9s %15s %9s\n", "", "pairs/s", "× onnxruntime", "× hugot")
	for _, c := range contenders {
		speed := median(c)
		fmt.Printf("%-24s %9.1f %15.2f %9.1f\n", c.name, speed, speed/median(contenders[2]), speed/median(contenders[3]))
	}
}

// measure returns how many pairs a second of processor time one scores.
func measure(name string) float64 {
	text := strings.TrimSpace(strings.Repeat("the ", words))
	score := hugotScore
	if name == "reader" {
		score = readerScore
	}
	run := score(text)
	run() // what is made once
	begun, runs := used(), 0
	for used()-begun < time.Duration(*seconds*float64(time.Second)) {
		run()
		runs++
	}
	return float64(runs) / (used() - begun).Seconds()
}

func readerScore(text string) func() {
	file, err := os.ReadFile(*weights)
	check(err)
	r, err := reader.Open(string(file))
	check(err)
	passage, claim := text[:len(text)/2], text[len(text)/2:] // the mark between them makes it one token longer
	return func() {
		_, err := r.Score(context.Background(), []reader.Pair{{Passage: passage, Claim: claim}})
		check(err)
	}
}

func hugotScore(text string) func() {
	session, err := hugot.NewGoSession()
	check(err)
	pipeline, err := hugot.NewPipeline(session, hugot.TextClassificationConfig{
		ModelPath: filepath.Clean(*onnx), Name: "compare", OnnxFilename: "model.onnx"})
	check(err)
	return func() {
		_, err := pipeline.RunPipeline([]string{text})
		check(err)
	}
}

func used() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
