package io.leaderelection.build.broken.redis;

public class Redis {

}
