package traces

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"sanad/internal/domain"
	"sanad/internal/domain/live"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/words"
)

// receive takes a request of OTLP over HTTP. What it answers 200 for is stored; spans that were refused are told, with
// the reason.
func (s *server) receive(c echo.Context) error {
	as := web.OTLPType(c.Request())
	if as == "" {
		return &domain.Error{Kind: domain.Unsupported, Message: words.Msg("refused_send_otlp_application")}
	}
	data, values, err := body(c, as)
	if err != nil {
		return err
	}
	return s.WithRoom(c, limits.TracesRead, len(data), func(c echo.Context) error {
		if err := limits.ForValues(c.Request().Context(), values); err != nil {
			return err
		}
		return s.keep(c, as, data)
	})
}

// body reads a request's body, unpacked. Neither it nor what is unpacked may be larger than live.MaxBody, whatever a
// packed one says of itself. It returns how many values JSON has, and the fields of protobuf.
func body(c echo.Context, as string) (data []byte, values int, err error) {
	r := c.Request()
	in := io.Reader(http.MaxBytesReader(c.Response(), r.Body, live.MaxBody))
	switch encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip":
		packed, err := gzip.NewReader(in)
		if err != nil {
			return nil, 0, notGzip(err)
		}
		defer packed.Close() //nolint:errcheck // it holds nothing
		in = packed
	default:
		return nil, 0, domain.Refuse(domain.Unsupported, "", "refused_encoding", "Name",
			strconv.QuoteToASCII(encoding[:min(len(encoding), 40)]))
	}
	in = io.LimitReader(in, live.MaxBody+1)
	counted := importers.Count(in, live.MaxBody)
	if as == web.OTLPJSON {
		in = counted
	}
	data, err = io.ReadAll(in)
	switch {
	case domain.KindOf(err) == domain.TooLarge:
		return nil, 0, err
	case err != nil && r.Header.Get("Content-Encoding") != "":
		return nil, 0, notGzip(err)
	case err != nil:
		return nil, 0, err
	case len(data) > live.MaxBody:
		return nil, 0, domain.Refuse(domain.TooLarge, "", "refused_request_more_mib", "N", live.MaxBody>>20)
	}
	if as == web.OTLPJSON {
		return data, counted.Values(), nil
	}
	values, err = importers.CountProto(data)
	return data, values, err
}

// notGzip returns the error of a packed body that could not be read.
func notGzip(err error) error {
	if web.FaultOf(err).Status == http.StatusRequestEntityTooLarge {
		return err
	}
	return web.WithStatus(http.StatusBadRequest, &domain.Error{Kind: domain.Invalid, Err: err,
		Message: words.Msg("refused_body_content_encoding")})
}

// keep reads and stores the spans of a request.
func (s *server) keep(c echo.Context, as string, data []byte) error {
	read := importers.ReadLiveJSON
	if as == web.OTLPProto {
		read = importers.ReadLiveProto
	}
	in, err := read(data)
	if err != nil {
		return err
	}
	ctx, who := c.Request().Context(), s.Who(c)
	said := in.Refused.Said()
	n := in.Refused.Total()
	if len(in.Spans)+n > 0 {
		kept, err := s.Store.AddSpans(ctx, who, in.Spans, &in.Refused, in.Lost)
		if err != nil {
			return err
		}
		said = joined(said, kept.Refused.Said())
		n += kept.Refused.Total()
		rules, err := s.Store.LiveRules(ctx, who.Tenant)
		if err != nil {
			return err
		}
		if n > 0 {
			said = fmt.Sprintf("Refused: %s.", said)
		}
		if rules.MakesNothing() {
			said = strings.TrimSpace(said + " Note: no rule of this organisation makes anything of traces; an administrator sets " +
				"them at /admin/traces.")
		}
	}
	if len(in.Spans)+n == 0 && as == web.OTLPJSON && namesTrace.Match(data) {
		said = "Note: no span was found, so nothing was stored. Spans are read at resourceSpans[].scopeSpans[].spans[], spelt like that."
	}
	return answer(c, as, n, said)
}

// namesTrace finds the id of a trace, however its field is spelt.
var namesTrace = regexp.MustCompile(`(?i)"trace_?id"`)

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// answer sends ExportTraceServiceResponse in the encoding of the request.
func answer(c echo.Context, as string, refused int, said string) error {
	if as == web.OTLPJSON {
		out := struct {
			Partial *partial `json:"partialSuccess,omitempty"`
		}{}
		if said != "" {
			out.Partial = &partial{Message: said}
			if refused > 0 {
				out.Partial.Rejected = strconv.Itoa(refused)
			}
		}
		return web.SendJSON(c, http.StatusOK, out)
	}
	out := &collector.ExportTraceServiceResponse{}
	if said != "" {
		out.PartialSuccess = &collector.ExportTracePartialSuccess{RejectedSpans: int64(refused), ErrorMessage: said}
	}
	data, err := proto.Marshal(out)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, web.OTLPProto, data)
}

// partial is ExportTracePartialSuccess in OTLP/JSON, where 64-bit integers are texts.
type partial struct {
	Rejected string `json:"rejectedSpans,omitempty"`
	Message  string `json:"errorMessage,omitempty"`
}
