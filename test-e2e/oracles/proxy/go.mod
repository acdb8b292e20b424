module landscaper.test/oracles/proxy

go 1.26.0

require golang.org/x/net v0.57.0

require golang.org/x/text v0.40.0 // indirect
