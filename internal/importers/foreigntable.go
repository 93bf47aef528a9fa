package importers

func init() {
	foreigns = []foreign{
		{"anthropic.messages", "Anthropic messages with citations", [][]string{
			{"content[].citations[].type", "response.content[].type", "messages[].content[].citations[].type", "type=message"},
			{"content", "response.content", "messages[].content"}}, each(readAnthropic)},
	}
}
