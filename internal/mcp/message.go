package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"sanad/internal/strictjson"
)

// textParams names the parameter of each method that must be a text. The SDK's own error would name types of Go.
var textParams = map[string]string{"tools/call": "name", "resources/read": "uri"}

// wrongMessage says what is wrong with a message that the SDK would refuse in words of its own; code is 0 if
// nothing is. What is not JSON has no id.
func wrongMessage(data []byte) (id json.RawMessage, code int, says string) {
	if !json.Valid(data) {
		return nil, jsonrpc.CodeParseError, "The body is not JSON; send one message."
	}
	var m struct {
		Method     any
		ID, Params json.RawMessage
	}
	if json.Unmarshal(data, &m) != nil {
		return nil, jsonrpc.CodeInvalidRequest, `This is no message of JSON-RPC 2.0, as {"jsonrpc":"2.0","id":1,"method":"ping"}.`
	}
	method, is := m.Method.(string)
	if m.Method != nil && !is {
		return m.ID, jsonrpc.CodeInvalidRequest, "method: give a text, not " + kindOf(m.Method) + "."
	}
	name, has := textParams[method]
	if !has || m.ID == nil {
		return nil, 0, ""
	}
	var params map[string]json.RawMessage // the arguments may have many values, so they are not read here
	if json.Unmarshal(orNull(m.Params), &params) != nil || params == nil {
		return m.ID, jsonrpc.CodeInvalidParams, "params: give an object, not " + kindOfRaw(m.Params) + "."
	}
	value, given := params[name]
	if kind := kindOfRaw(value); given && kind != "a text" {
		return m.ID, jsonrpc.CodeInvalidParams, fmt.Sprintf("params.%s: give a text, not %s.", name, kind)
	}
	return nil, 0, ""
}

// kindOfRaw names the kind of a well-formed JSON value. A value that is missing counts as null.
func kindOfRaw(raw json.RawMessage) string {
	switch raw = bytes.TrimSpace(orNull(raw)); raw[0] {
	case '{':
		return kindOf(map[string]any(nil))
	case '[':
		return kindOf([]any(nil))
	case '"':
		return kindOf("")
	case 't', 'f':
		return kindOf(true)
	case 'n':
		return kindOf(nil)
	}
	return kindOf(0.0)
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// answerFault answers a message with a fault of JSON-RPC.
func answerFault(w http.ResponseWriter, status int, id json.RawMessage, code int, says string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(faultOf(id, code, says))
}

// methodFaults answers a request with a method that is unknown as JSON-RPC does, with the request's id. The SDK does so
// since revision 2026-07-28 of the protocol, with 404; before that it sends 400 and plain text, which clients take for
// a broken connection.
type methodFaults struct {
	http.ResponseWriter
	message []byte
	held    bool // an answer of 400 in plain text, until its text is known
}

func (w *methodFaults) WriteHeader(status int) {
	plain := strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")
	if w.held = status == http.StatusBadRequest && plain; !w.held {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *methodFaults) Write(text []byte) (int, error) {
	if !w.held {
		return w.ResponseWriter.Write(text)
	}
	w.held = false
	var m struct {
		ID     json.RawMessage
		Method string
	}
	unknown := bytes.HasPrefix(text, []byte("JSON RPC not handled"))
	if !unknown || json.Unmarshal(w.message, &m) != nil || len(m.ID) == 0 {
		w.ResponseWriter.WriteHeader(http.StatusBadRequest)
		return w.ResponseWriter.Write(text)
	}
	w.Header().Del("X-Content-Type-Options")
	answerFault(w.ResponseWriter, http.StatusOK, m.ID, jsonrpc.CodeMethodNotFound,
		fmt.Sprintf("There is no method %q here.", cut(m.Method, maxName)))
	return len(text), nil
}

// Unwrap is for http.ResponseController.
func (w *methodFaults) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush is what the SDK looks for.
func (w *methodFaults) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// readMessage returns a message with how many values it has, and a body that has it again; what is longer than a
// message may be stays in the body. The error is that of a message with too many values.
func readMessage(body io.Reader) ([]byte, int, io.Reader, error) {
	counted := strictjson.NewCounter(io.LimitReader(body, maxBody+1), strictjson.MaxValues(maxBody))
	data, err := io.ReadAll(counted)
	var many *strictjson.Error
	if errors.As(err, &many) {
		return nil, 0, nil, many
	}
	if err != nil || len(data) > maxBody { // the SDK reads it again, and answers what is wrong with it
		return nil, 0, io.MultiReader(bytes.NewReader(data), body), nil //nolint:nilerr // see above
	}
	return data, counted.Values(), bytes.NewReader(data), nil
}

// tooMany says of a message what a Counter refuses, "" if it takes it.
func tooMany(message []byte, maxBytes int) string {
	_, err := io.Copy(io.Discard, strictjson.NewCounter(bytes.NewReader(message), strictjson.MaxValues(maxBytes)))
	return manyValues(err)
}

// manyValues says what is wrong with a message and where, "" if nothing is.
func manyValues(err error) string {
	var many *strictjson.Error
	if !errors.As(err, &many) {
		return ""
	}
	return cut(many.Path, maxName) + ": " + many.Message.String()
}
