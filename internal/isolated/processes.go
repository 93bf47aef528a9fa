package isolated

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"sanad/internal/words"
)

// What a waiting request gives its files: how long each waits for a slot, and how long all of them may
// take to be read.
const (
	soonWait  = 5 * time.Second
	soonWhole = 10 * time.Second
)

// Processes starts the processes. It is safe for concurrent use.
type Processes struct {
	Command []string      // this program with its hidden sub-command
	Timeout time.Duration // of one file and reader; 0 for 60 s
	Whole   time.Duration // of all files of one context of For together; 0 for no limit
	Wait    time.Duration // how long to wait for a slot; 0 for as long as the context permits

	slots   *slots
	offline func() bool // whether a process can be started without a network; tried once
}

// New returns processes that are started by command.
func New(command []string) *Processes {
	// two at least, so that a tenant can't hold all of them
	p := &Processes{Command: command, slots: newSlots(max(2, runtime.NumCPU()/2))}
	p.offline = sync.OnceValue(p.canGoOffline)
	return p
}

// Soon returns the same processes with the limits of a waiting request. The slots are shared.
func (p *Processes) Soon() *Processes {
	s := *p
	s.Wait, s.Whole = soonWait, soonWhole
	return &s
}

// Acquire waits for a slot, in which any number of processes run one after the other. The error is that of ctx if it
// ended first, or a Fault of ErrBusy. The tenant is that of For.
func (p *Processes) Acquire(ctx context.Context) (release func(), err error) {
	tenant := shareOf(ctx).tenant
	var late <-chan time.Time
	if p.Wait > 0 {
		timer := time.NewTimer(p.Wait)
		defer timer.Stop()
		late = timer.C
	}
	if err := p.slots.acquire(ctx, tenant, late); err != nil {
		return nil, err
	}
	return func() { p.slots.release(tenant) }, nil
}

// maxOutput limits the output of a process, in bytes.
const maxOutput = 64 << 20

// memory limits the memory of a process, in bytes.
const memory = 1 << 30

// Run starts a process in a slot that the caller holds, sends it the file and returns its output. The process gets
// nothing of our environment. args follow the command. The error is a *Fault if the file is at fault, that of ctx if it
// ended first, *Failed if the process said that it failed, and otherwise an internal one, such as a process that did
// not start.
func (p *Processes) Run(outer context.Context, data []byte, args ...string) ([]byte, error) {
	timeout := cmp.Or(p.Timeout, 60*time.Second)
	of := shareOf(outer)
	defer of.since(time.Now())
	if p.Whole > 0 {
		timeout = min(timeout, p.Whole-time.Duration(of.spent.Load()))
	}
	ctx, cancel := context.WithTimeout(outer, timeout)
	defer cancel()
	c := exec.CommandContext(ctx, p.Command[0], slices.Concat(p.Command[1:], args)...)
	c.Env, c.Stdin, c.WaitDelay = []string{"LC_ALL=C.UTF-8", "GOMAXPROCS=2"}, bytes.NewReader(data), time.Second
	out, said := bounded{most: maxOutput, stop: cancel}, bounded{most: 4 << 10}
	c.Stdout, c.Stderr = &out, &said
	if p.offline() {
		withoutNetwork(c)
	}
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case out.over:
		return nil, &Fault{Kind: ErrTooLarge, Cause: Over(words.Msg("bound_text", "N", maxOutput>>20))}
	case outer.Err() != nil:
		return nil, outer.Err()
	case ctx.Err() != nil:
		return nil, &Fault{Kind: ErrGaveUp, Cause: fmt.Errorf("it took longer than %v", cmp.Or(p.Whole, timeout))}
	case errors.As(err, &exit) && (!exit.Exited() || exit.ExitCode() == 2): // 2: how Go ends without memory or stack
		return nil, &Fault{Kind: ErrGaveUp, Cause: fmt.Errorf("%w: %s", err, said.b.Bytes())}
	case exit != nil:
		return nil, &Failed{fmt.Errorf("the process that reads a file failed: %w: %s", err, said.b.Bytes())}
	case err != nil:
		return nil, fmt.Errorf("the process that reads a file did not start: %w", err)
	}
	return out.b.Bytes(), nil
}

// Failed is the error of a process that ended with a failure. Readers of ours report what is wrong with a file in their
// output, so that it means their own failure; of other programs it may be the file's fault.
type Failed struct{ error }

// bounded keeps the first bytes that are written to it.
type bounded struct {
	b    bytes.Buffer
	most int
	over bool
	stop func() // called when there are more
}

func (w *bounded) Write(p []byte) (int, error) {
	if w.b.Len()+len(p) <= w.most {
		return w.b.Write(p)
	}
	w.over = w.stop != nil
	if w.over {
		w.stop()
	}
	return len(p), nil
}

// canGoOffline tries to start a process without a network; not every system lets an ordinary user do that.
func (p *Processes) canGoOffline() bool {
	c := exec.CommandContext(context.Background(), p.Command[0], slices.Concat(p.Command[1:], []string{"--try"})...)
	c.Env = []string{}
	if !withoutNetwork(c) {
		return false
	}
	return c.Run() == nil
}

// Confined returns what confines the processes (see Confine), in alphabetical order.
func (p *Processes) Confined(ctx context.Context) ([]string, error) {
	c := exec.CommandContext(ctx, p.Command[0], slices.Concat(p.Command[1:], []string{"--try"})...)
	c.Env = []string{}
	out, err := c.Output()
	return slices.Sorted(strings.FieldsSeq(string(out))), err
}

// Offline reports whether the processes run without a network.
func (p *Processes) Offline() bool { return p.offline() }
