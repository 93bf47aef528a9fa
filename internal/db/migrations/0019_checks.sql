-- What became of the citations and quotations of a claim (ledger.Checks): which statuses occur, as bits by the place in
-- ledger.CitationStatuses and ledger.QuotationStatuses, for the filters, and all of it as JSON ('' for nothing). Sessions of the
-- first rule set have none until they are judged again or `sanad reassess` takes them over.
ALTER TABLE claims ADD COLUMN citation_checks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE claims ADD COLUMN quotation_checks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE claims ADD COLUMN checks TEXT NOT NULL DEFAULT '';
