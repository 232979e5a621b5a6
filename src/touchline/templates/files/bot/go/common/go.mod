module example.com/my-bot

go 1.19
