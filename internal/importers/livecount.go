package importers

import (
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"sanad/internal/domain"
	"sanad/internal/domain/live"
	"sanad/internal/strictjson"
)

// CountProto returns how many fields a request in protobuf has, those of the messages in it included, and refuses one
// with too many. It reads the wire format alone: a message of two bytes takes a hundred times that once it is
// unmarshalled.
func CountProto(data []byte) (int, error) {
	most := strictjson.MaxValues(live.MaxBody)
	n, err := countFields(data, (*collector.ExportTraceServiceRequest)(nil).ProtoReflect().Descriptor(), most)
	if err == nil && n > most {
		err = domain.Refuse(domain.TooLarge, "resourceSpans", "refused_fields_many", "Most", most)
	}
	return n, err
}

// countFields counts the fields of a message and of those in it. It stops at the first beyond the most. How deeply they
// are nested is bounded as unmarshalling bounds it; what is nested more deeply, or cut off, is for that to refuse.
func countFields(data []byte, of protoreflect.MessageDescriptor, most int) (n int, err error) {
	c := fieldCounter{most: most}
	err = c.message(data, of, boundedProto.RecursionLimit)
	return c.n, err
}

type fieldCounter struct{ n, most int }

func (c *fieldCounter) message(data []byte, of protoreflect.MessageDescriptor, deepest int) error {
	for len(data) > 0 && c.n <= c.most {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return notProto(n)
		}
		data = data[n:]
		if n = protowire.ConsumeFieldValue(number, kind, data); n < 0 {
			return notProto(n)
		}
		c.n++
		field := of.Fields().ByNumber(number)
		if kind == protowire.BytesType && field != nil && field.Message() != nil && deepest > 0 {
			body, _ := protowire.ConsumeBytes(data)
			// a span that is broken is refused alone, so this is not the place to refuse it
			_ = c.message(body, field.Message(), deepest-1)
		}
		data = data[n:]
	}
	return nil
}
