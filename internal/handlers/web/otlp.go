package web

import (
	"encoding/json"
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// TracesPath is where traces arrive by OTLP over HTTP. It takes tokens as the API does; its faults are
// google.rpc.Status in the encoding of the request, as the protocol asks.
const TracesPath = "/v1/traces"

// The media types of OTLP over HTTP.
const (
	OTLPProto = "application/x-protobuf"
	OTLPJSON  = "application/json"
)

// OTLPType returns the media type of a request of OTLP, "" if it is none of both.
func OTLPType(r *http.Request) string {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || t != OTLPProto && t != OTLPJSON {
		return ""
	}
	return t
}

// rpcCodes are the codes of google.rpc.Status for statuses of HTTP.
var rpcCodes = map[int]codes.Code{
	http.StatusBadRequest: codes.InvalidArgument, http.StatusUnauthorized: codes.Unauthenticated,
	http.StatusForbidden: codes.PermissionDenied, http.StatusNotFound: codes.NotFound,
	http.StatusMethodNotAllowed: codes.Unimplemented, http.StatusRequestEntityTooLarge: codes.InvalidArgument,
	http.StatusUnsupportedMediaType: codes.InvalidArgument, http.StatusTooManyRequests: codes.ResourceExhausted,
	http.StatusServiceUnavailable: codes.Unavailable,
}

// RPCCode returns the code of google.rpc.Status for a status of HTTP.
func RPCCode(status int) codes.Code {
	if code, ok := rpcCodes[status]; ok {
		return code
	}
	return codes.Internal
}

// otlpFault answers a request of OTLP that failed; a rule that was broken is a 400 there.
func otlpFault(c echo.Context, f Fault) error {
	if f.Status == http.StatusUnprocessableEntity {
		f.Status = http.StatusBadRequest
	}
	msg := f.Message.String()
	if f.Path != "" {
		msg = f.Path + ": " + msg
	}
	mediaType, body, err := otlpStatus(OTLPType(c.Request()), f.Status, msg)
	if err != nil {
		return err
	}
	return c.Blob(f.Status, mediaType, body)
}

// otlpStatus writes google.rpc.Status in the encoding of a request, in JSON if that is not known.
func otlpStatus(as string, code int, msg string) (mediaType string, body []byte, err error) {
	if msg == "" {
		msg = http.StatusText(code)
	}
	if as == OTLPProto {
		body, err = proto.Marshal(&status.Status{Code: int32(RPCCode(code)), Message: msg})
		return OTLPProto, body, err
	}
	body, err = json.Marshal(map[string]any{"code": int(RPCCode(code)), "message": msg})
	return OTLPJSON, body, err
}
