package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine bounds, in bytes, a message on a line: an answer with its documents.
const maxLine = 16 << 20

// drainTimeout bounds how long answers are waited for after the end of the input: the longest call is two requests and
// a wait for a job.
const drainTimeout = 2*callTimeout + defaultWait

// Lines returns a transport with a message on each line. Unlike the SDK's it answers what it cannot read and goes on,
// and at the end of the input it ends after the calls before it are answered.
func Lines(in io.Reader, out io.Writer) sdk.Transport {
	return &lines{in: in, out: out, drain: drainTimeout}
}

type lines struct {
	in    io.Reader
	out   io.Writer
	drain time.Duration
}

func (t *lines) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConn{lines: t, got: make(chan read), closed: make(chan struct{}), changed: make(chan struct{}, 1),
		open: map[jsonrpc.ID]bool{}}
	go c.readAll()
	return c, nil
}

// read is a line, or why there is none.
type read struct {
	line []byte
	err  error
}

// lineConn is the connection of lines.
type lineConn struct {
	*lines
	got     chan read
	closed  chan struct{}
	once    sync.Once
	writing sync.Mutex

	mu      sync.Mutex
	open    map[jsonrpc.ID]bool // calls that are not answered yet
	changed chan struct{}       // open has become smaller
}

func (c *lineConn) SessionID() string { return "" }

// Close ends Read. A read of the input that waits goes on until the program ends.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

// readAll passes lines on. It is the only reader of the input, so that Close need not wait for it.
func (c *lineConn) readAll() {
	r := bufio.NewReader(c.in)
	for {
		line, err := readLine(r)
		for _, one := range []read{{line: line}, {err: err}} {
			if len(one.line) == 0 && one.err == nil {
				continue
			}
			select {
			case c.got <- one:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine reads a line into new memory, of a longer one than maxLine its first maxLine+1 bytes.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part[:min(len(part), maxLine+1-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var one read
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case one = <-c.got:
		}
		if one.err != nil {
			c.finish(ctx)
			return nil, one.err
		}
		msg, fault := decode(one.line)
		switch {
		case fault != nil:
			if err := c.write(fault); err != nil {
				return nil, err
			}
		case msg != nil:
			c.note(msg)
			return msg, nil
		}
	}
}

// decode returns the message on a line, nil if the line is blank, or the answer to a line that is none.
func decode(line []byte) (jsonrpc.Message, []byte) {
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
		return nil, nil
	case len(line) > maxLine:
		return nil, noMessage(jsonrpc.CodeInvalidRequest, "the message is longer than 16 MiB")
	case tooMany(text, maxLine) != "":
		return nil, noMessage(jsonrpc.CodeInvalidRequest, tooMany(text, maxLine))
	case !json.Valid(text):
		return nil, noMessage(jsonrpc.CodeParseError, "the line is not JSON; a message is one line")
	case text[0] == '[':
		return nil, noMessage(jsonrpc.CodeInvalidRequest, "send each message on a line of its own, not in a list")
	}
	if id, code, says := wrongMessage(text); code != 0 {
		return nil, faultOf(id, code, says)
	}
	msg, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, noMessage(jsonrpc.CodeInvalidRequest, `the line is not a message of JSON-RPC 2.0, as `+
			`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	}
	return msg, nil
}

// noMessage is the answer to what has no id that could be read.
func noMessage(code int, msg string) []byte { return faultOf(nil, code, msg) }

// faultOf is the answer to a message that cannot be taken.
func faultOf(id json.RawMessage, code int, msg string) []byte {
	type fault struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	data, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", orNull(id), fault{code, msg}})
	if err != nil {
		panic(err) // it is a struct of texts, and an id that was read as JSON
	}
	return data
}

// note remembers a call until it is answered. A subscription is answered when it ends, so nobody waits for that.
func (c *lineConn) note(msg jsonrpc.Message) {
	if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" {
		c.mu.Lock()
		c.open[r.ID] = true
		c.mu.Unlock()
	}
}

// finish waits until all calls are answered, at most c.drain.
func (c *lineConn) finish(ctx context.Context) {
	late := time.NewTimer(c.drain)
	defer late.Stop()
	for {
		c.mu.Lock()
		left := len(c.open)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-c.closed:
			return
		case <-late.C:
			return
		case <-c.changed:
		}
	}
}

func (c *lineConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	if err := c.write(data); err != nil {
		return err
	}
	if r, ok := msg.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID)
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default: // it is noted already
		}
	}
	return nil
}

func (c *lineConn) write(data []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(data, '\n'))
	return err
}
